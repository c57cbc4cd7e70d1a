import type { EventStore } from '#commands/store/port.ts'

export interface StoreWithKeys<Keys> extends AsyncDisposable {
  readonly store: EventStore
  readonly keys: Keys
}

/** A store and its keys, closed together; a store whose keys cannot be opened is closed at once. */
export const withKeys = async <Keys extends { close(): void }>(
  store: EventStore,
  open: () => Promise<Keys>,
): Promise<StoreWithKeys<Keys>> => {
  try {
    const keys = await open()
    return {
      store,
      keys,
      async [Symbol.asyncDispose]() {
        keys.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
