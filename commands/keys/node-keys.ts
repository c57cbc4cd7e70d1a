import type { Keys } from './secret.ts'

/** Keys as a node uses them, wherever they are kept: in a file beside the embedded store, or in the shared store. */
export interface NodeKeys extends Keys {
  readonly personal: Keys['personal'] & {
    /** Users whose key was destroyed. */
    forgotten(): Promise<ReadonlySet<string>> | ReadonlySet<string>
  }
  readonly index: {
    hmac(text: string): string
  }
  close(): void
}
