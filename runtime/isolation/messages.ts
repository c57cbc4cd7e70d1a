/** Messages between the pool and its processes. Inputs and answers are serialized, so that their size is known. */
export interface JobMessage {
  readonly id: number
  /** Address of the kind's module. */
  readonly module: string
  /** Bytes allowed for an answer. */
  readonly most: number
  readonly input: Uint8Array
  /** Number of messages with bytes that follow. */
  readonly pieces: number
}

/** The next piece of a job's bytes. */
export interface BytesMessage {
  readonly id: number
  readonly bytes: Uint8Array
}

export type ProcessMessage =
  | { readonly ready: true }
  /** The module is loaded and the clock starts. */
  | { readonly id: number; readonly loaded: true }
  /** `ms`: time that the part took in the process. `next`: the next part begins. */
  | { readonly id: number; readonly part: Uint8Array; readonly ms: number; readonly next: boolean }
  | { readonly id: number; readonly answer: Uint8Array; readonly ms: number }
  | { readonly id: number; readonly failed: 'work.size' | 'work.failed'; readonly message: string; readonly ms: number }
