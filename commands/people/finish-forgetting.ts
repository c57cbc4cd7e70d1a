import type { EventStore } from '../store/port.ts'

interface ForgettingKeys {
  readonly personal: {
    forget(user: string): Promise<void> | void
    forgotten(): Promise<ReadonlySet<string>> | ReadonlySet<string>
  }
}

/** Destroys the keys of users whose stream says that they were forgotten, where a crash came between the two. */
export const finishForgetting = async (store: EventStore, { personal }: ForgettingKeys): Promise<void> => {
  const done = await personal.forgotten()
  const told = store.readAll({ filter: { streamPrefixes: ['user-'], types: ['UserForgotten'] } })
  for await (const { stream } of told) {
    const user = stream.slice('user-'.length)
    if (!done.has(user)) await personal.forget(user)
  }
}
