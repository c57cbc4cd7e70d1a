import { Button, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import { memo, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Hint } from '#web/components/hint.tsx'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { openThreadsQuery, useLinkedComment } from './thread.ts'

/** Footer of a block's tooltip: its open comments, or a link to add one. */
export const ThreadLink = memo(({ block }: { readonly block: string }) => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const { send } = useMode()
  const count = useStoreValue(canvas.threads, threads => threads.get(block) ?? 0)
  return (
    <chakra.div flex="none" borderTopWidth="1px" px="1.5">
      <Button
        variant="ghost"
        size="xs"
        w="100%"
        justifyContent="flex-start"
        minH={{ base: '44px', md: '36px' }}
        fontWeight={count > 0 ? 'semibold' : 'normal'}
        color={count > 0 ? 'fg' : 'fg.muted'}
        onClick={() => send({ type: 'COMMENTS' })}
      >
        <MessageSquare size={15} aria-hidden />
        {count === 0 ? t('inspector.comment') : t('inspector.openComments', { count })}
      </Button>
    </chakra.div>
  )
})

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
  const { led, gone, going } = useLinkedComment()
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

/** Opens the flow's comments; shows the number of open threads. */
export const CommentsButton = () => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const { sheet, send } = useMode()
  const count = useStoreValue(canvas.threads, threads => [...threads.values()].reduce((sum, one) => sum + one, 0))
  return (
    <Hint text={t('bar.comments')} keys="C">
      <Button
        variant="ghost"
        px="2"
        gap="1.5"
        aria-label={count === 0 ? t('bar.comments') : t('bar.openComments', { count })}
        aria-expanded={sheet === 'comments'}
        onClick={() => send({ type: sheet === 'comments' ? 'CLOSE' : 'COMMENTS' })}
      >
        <MessageSquare size={17} strokeWidth={1.75} aria-hidden />
        {count === 0 ? null : <chakra.span fontSize="sm">{count}</chakra.span>}
      </Button>
    </Hint>
  )
}
