import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react'

/** A part of the program that is fetched after the page, and without which the page works. */
export interface LazyModule<T> {
  /** Undefined until it has come. */
  held(): T | undefined
  /** Loads it once; after a failure, again. */
  load(): Promise<T>
}

export const lazyModule = <T>(importModule: () => Promise<T>): LazyModule<T> => {
  let held: T | undefined
  return {
    held: () => held,
    load: async () => {
      held ??= await importModule()
      return held
    },
  }
}

/** The part once it is there, and why it is not; asked for again when the network is back. */
export const useLazyModule = <T>(part: LazyModule<T>): { readonly value: T | undefined; readonly error: unknown } => {
  const [state, setState] = useState(() => ({ value: part.held(), error: undefined as unknown }))
  const isMissing = state.value === undefined
  useEffect(() => {
    if (!isMissing) return
    let left = false
    const load = () =>
      part.load().then(
        value => left || setState({ value, error: undefined }),
        (error: unknown) => left || setState({ value: undefined, error }),
      )
    void load()
    window.addEventListener('online', load)
    return () => {
      left = true
      window.removeEventListener('online', load)
    }
  }, [part, isMissing])
  return state
}

let unloaded: () => ReactNode = () => null

/** Sets what takes the place of a part that did not load. It comes late itself: the first page has no room for it. */
export const showUnloaded = (part: () => ReactNode): void => {
  unloaded = part
}

/**
 * As `lazy` of React, for a part of a page. An update removes parts of older builds: the page then stays, with what was
 * typed.
 */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy<ComponentType<P>>(async () => ({ default: await load().catch(() => unloaded) }))
