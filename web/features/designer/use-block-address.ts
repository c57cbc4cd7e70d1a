import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import type { Commands } from './commands/commands.ts'
import type { Mode } from './mode/mode-context.ts'
import type { Designer } from './session/designer.ts'

/** A selection is written once it rests: browsers take only so many addresses in a minute. Milliseconds. */
const REST = 300

/** Tells once whether a block is in the flow. That it is not is known when the server has sent all it has. */
const whenKnown = ({ canvas, room }: Designer, block: string, tell: (there: boolean) => void): (() => void) => {
  const { flow } = canvas
  const { provider } = room
  const look = () => {
    const there = flow.get().nodes.has(block)
    if (!there && !provider.synced) return
    stop()
    tell(there)
  }
  const unsubscribe = flow.subscribe(look)
  const stop = () => {
    unsubscribe()
    provider.off('sync', look)
  }
  provider.on('sync', look)
  look()
  return stop
}

/**
 * Keeps the selected block in the address by replacement, so that going back leaves the flow. An address with another
 * block navigates to it, or reports that it was removed.
 */
export const useBlockAddress = (designer: Designer, commands: Commands, { mode, send }: Mode): void => {
  const { t } = useTranslation('designer')
  const { key, search } = useLocation()
  const { selection } = designer.canvas
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router knows no more than that the address is another one.
  useEffect(() => {
    const block = new URLSearchParams(location.search).get(DESIGNER_QUERY.block)
    if (mode !== 'edit' || block === null || selection.get().blocks.has(block)) return
    return whenKnown(designer, block, there => {
      if (there) return commands.show(block)
      const text = t('said.blockGone')
      designer.said.set(text)
      designer.notice.set({
        text,
        tone: 'failed',
        action: { label: t('bar.history'), run: () => send({ type: 'HISTORY' }) },
      })
    })
  }, [designer, commands, selection, mode, send, t, key, search])
  useEffect(() => {
    if (mode !== 'edit') return
    const { pathname } = location
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      if (location.pathname !== pathname) return
      const url = new URL(location.href)
      const [block, more] = selection.get().blocks
      if (block === undefined || more !== undefined) url.searchParams.delete(DESIGNER_QUERY.block)
      else url.searchParams.set(DESIGNER_QUERY.block, block)
      if (url.href !== location.href) history.replaceState(history.state, '', url)
    }
    const stop = selection.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(write, REST)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [selection, mode])
}
