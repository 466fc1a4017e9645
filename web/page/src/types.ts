// Types of the engine's contract.

export type * from "../../package/types";
