import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#web/api/client.ts'
import { useCommands } from '../live/commands.ts'
import { useDesigner } from '../live/designer.ts'
import { useMode } from '../mode/mode-context.ts'
import { openThreadsQuery } from './thread.ts'

/** Tells the canvas how many threads are open on each block, and opens them where the canvas or an address asks. */
export const ThreadCounts = () => {
  const { t } = useTranslation('designer')
  const { address, canvas, said, news } = useDesigner()
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
  useEffect(() => {
    const comment = new URLSearchParams(location.search).get('comment')
    if (comment === null) return
    const { kind } = address
    let left = false
    api.get<{ block: string }>(`/${kind}comment/${encodeURIComponent(comment)}`).then(
      ({ block }) => {
        if (left) return
        commands.show(block)
        send({ type: 'COMMENTS' })
      },
      () => left || said.set(t('said.commentGone')),
    )
    return () => {
      left = true
    }
  }, [address, commands, send, said, t])
  return null
}
