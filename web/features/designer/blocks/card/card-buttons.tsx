import { ExternalLink, MessageSquare, Send } from 'lucide-react'
import { isObject } from '#domain/flow/document/json.ts'
import type { Json } from '#schemas/event.ts'
import { CardWords } from './card-texts.tsx'
import { textAt } from './read-card.ts'

const ICONS = { openUrl: ExternalLink, imBack: MessageSquare, postBack: Send } as const
const iconOf = (type: string) => (Object.hasOwn(ICONS, type) ? ICONS[type as keyof typeof ICONS] : Send)

/** A card's buttons as they will stand; they lead nowhere here. */
export const CardButtons = ({ buttons }: { readonly buttons: Json | undefined }) => {
  const items = (Array.isArray(buttons) ? buttons : []).filter(isObject)
  if (items.length === 0) return null
  return (
    <ul className="pl-card-buttons">
      {items.map((button, place) => {
        const Icon = iconOf(textAt(button, 'type'))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two buttons may read the same
          <li key={place} title={textAt(button, 'value')}>
            <Icon size={14} aria-hidden />
            <CardWords text={textAt(button, 'title') || '…'} />
          </li>
        )
      })}
    </ul>
  )
}
