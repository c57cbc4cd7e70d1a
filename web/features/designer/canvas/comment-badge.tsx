import { MessageSquare } from 'lucide-react'
import { memo } from 'react'
import { useStoreValue } from '../model/store.ts'
import { useCanvas } from './canvas-context.ts'

/** Open comment threads of a block; a press opens them. The block's own name states the count. */
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
