/** The parts of React's fibers that a devtools hook may look at. */
interface Fiber {
  readonly flags: number
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly alternate: Fiber | null
  readonly memoizedProps: { readonly id?: unknown; readonly nodeTypes?: unknown } | null
}

declare global {
  interface Window {
    /** Ids of React Flow's nodes that rendered, in each commit that rendered any. */
    rendered: string[][]
    /**
     * Components that rendered, identified by their property names in alphabetical order. Recorded only where a page
     * sets this: it would distort the figures.
     */
    drawn?: Set<string>
  }
}

/** To run before a page's own scripts: takes the place of React's devtools and notes which nodes render. */
export const watchRenders = (): void => {
  const worked = 1
  const look = (fiber: Fiber | null, into: string[]) => {
    for (let at = fiber; at !== null; at = at.sibling) {
      if ((at.flags & worked) !== 0) {
        const { id, nodeTypes } = at.memoizedProps ?? {}
        if (id !== undefined && nodeTypes !== undefined) into.push(String(id))
        window.drawn?.add(
          Object.keys(at.memoizedProps ?? {})
            .sort()
            .join(' '),
        )
      }
      // Children that are those of the last commit were passed over.
      if (at.child !== at.alternate?.child) look(at.child, into)
    }
  }
  window.rendered = []
  const hook = {
    isDisabled: false,
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    onCommitFiberRoot: (_renderer: number, root: { readonly current: Fiber }) => {
      const ids: string[] = []
      look(root.current.child, ids)
      if (ids.length > 0) window.rendered.push([...new Set(ids)])
    },
  }
  Reflect.set(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__', hook)
}
