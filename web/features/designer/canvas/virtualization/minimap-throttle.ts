/** Here a block that is carried across the canvas moves by a few pixels: painted so often, ms. */
export const CARRYING = 300

interface Painter {
  readonly ask: () => void
  /** The cached picture is no longer valid. */
  readonly askAnew: () => void
}

/** When blocks that moved are painted on the map: at once, but while they are merely carried on, now and then. */
export const createMinimapThrottle = (isLifted: (block: string) => boolean, { ask, askAnew }: Painter) => {
  const carried = new Set<string>()
  let soon: ReturnType<typeof setTimeout> | undefined
  const askSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined
      ask()
    }, CARRYING)
  }
  return {
    moved: (blocks: ReadonlySet<string>) => {
      const stays = [...blocks].every(block => isLifted(block) && carried.has(block))
      for (const block of blocks) {
        if (isLifted(block)) carried.add(block)
        else carried.delete(block)
      }
      if (stays) askSoon()
      else askAnew()
    },
    /** Paints it with what is carried on. */
    soon: askSoon,
    stop: () => clearTimeout(soon),
  }
}
