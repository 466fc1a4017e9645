use unriddle_tables::{sliding::Pattern, *};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let g: Vec<usize> = a[2].split(',').map(|x| x.parse().unwrap()).collect();
    let th: usize = a[3].parse().unwrap();
    let p = Pattern::new(n, &g, n * n - 1).unwrap();
    let t = std::time::Instant::now();
    let last = std::sync::Mutex::new((0u64, 0.0));
    let v = p
        .build(th, &|p| {
            let mut l = last.lock().unwrap();
            if p.done * 10 / p.total > l.0 {
                l.0 = p.done * 10 / p.total;
                eprintln!("{} {:.2}", l.0, t.elapsed().as_secs_f64());
            }
            true
        })
        .unwrap();
    eprintln!(
        "{} bytes {:.2}s xxh {:x}",
        v.len(),
        t.elapsed().as_secs_f64(),
        xxhash_rust::xxh3::xxh3_64(&v)
    );
    let mut h = [0u64; 16];
    for b in &v {
        h[(b & 15) as usize] += 1;
        h[(b >> 4) as usize] += 1;
    }
    eprintln!("{:?}", h);
}
