import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { useDesigner } from '../session/designer.ts'
import { openThreadsQuery } from './thread.ts'
import { useLedTo } from './use-linked-comment.ts'

/** Tells the canvas how many threads are open on each block, and opens them where the canvas or an address asks. */
export const ThreadCounts = () => {
  const { t } = useTranslation('designer')
  const { address, canvas, said, news, notice } = useDesigner()
  const { send } = useMode()
  const commands = useCommands()
  const { data: open } = useQuery(openThreadsQuery(address))
  useEffect(() => {
    if (open === undefined) return
    const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
    const before = sum(canvas.threads.get().values())
    const now = sum(Object.values(open))
    canvas.threads.set(new Map(Object.entries(open)))
    if (now > before && before > 0 && news.get()) said.set(t('said.comments', { count: now }))
  }, [open, canvas, said, news, t])
  useEffect(
    () =>
      canvas.talk.subscribe(() => {
        const block = canvas.talk.get()
        if (block === undefined) return
        canvas.talk.set(undefined)
        canvas.selection.set({ blocks: new Set([block]), links: new Set() })
        send({ type: 'COMMENTS' })
      }),
    [canvas, send],
  )
  const { led, gone, going } = useLedTo()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same comment may be gone to again.
  useEffect(() => {
    if (led === undefined) return
    if (canvas.flow.get().nodes.has(led.block)) commands.show(led.block)
    else canvas.selection.set({ blocks: new Set(), links: new Set() })
    send({ type: 'COMMENTS' })
  }, [led, going, canvas, commands, send])
  useEffect(() => {
    if (!gone) return
    said.set(t('said.commentGone'))
    notice.set({ text: t('said.commentGone'), tone: 'failed' })
  }, [gone, said, notice, t])
  return null
}
