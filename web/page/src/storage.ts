// Small values kept by the browser. A browser that refuses storage keeps nothing.

function store(lasting: boolean): Storage | null {
  try {
    return lasting ? window.localStorage : window.sessionStorage;
  } catch {
    return null;
  }
}

export function keep(name: string, value: unknown, lasting = true): void {
  try {
    store(lasting)?.setItem(`unriddle:${name}`, JSON.stringify(value));
  } catch {
    // A full or forbidden storage keeps nothing.
  }
}

export function kept<T>(name: string, lasting = true): T | null {
  try {
    return JSON.parse(store(lasting)?.getItem(`unriddle:${name}`) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function forget(name: string, lasting = true): void {
  try {
    store(lasting)?.removeItem(`unriddle:${name}`);
  } catch {
    // Nothing was kept.
  }
}
