/** Bytes from which on taking an edit into a large document keeps a thread busy: some thousand changed texts. */
const LARGE_EDIT = 30_000

/** Whether an edit is put together with its flow elsewhere than on the thread of rooms and requests. */
export const isLargeEdit = (update: Uint8Array): boolean => update.byteLength > LARGE_EDIT
