import { MessageSquare } from 'lucide-react'
import { memo } from 'react'
import { useStoreValue } from '../model/store.ts'
import { useCanvas } from './canvas-context.ts'

/** How many threads of comments are open on a block; a press asks for them. The block's own name says so in words. */
export const TalkBadge = memo(({ block }: { readonly block: string }) => {
  const { threads, talk } = useCanvas()
  const count = useStoreValue(threads, all => all.get(block) ?? 0)
  if (count === 0) return null
  return (
    <span className="pl-talk nodrag" aria-hidden onClick={() => talk.set(block)}>
      <MessageSquare size={12} />
      {count}
    </span>
  )
})
