import { ExternalLink, Film, ImageOff, MessageSquare, Send, Volume2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { useForm } from '../../inspector/form-context.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { CardText } from './card-text.tsx'
import { type CardPreviewContent, isEmptyCard, readCards, textAt } from './read-card.ts'

const ICONS = { openUrl: ExternalLink, imBack: MessageSquare, postBack: Send } as const
const iconOf = (type: string) => (Object.hasOwn(ICONS, type) ? ICONS[type as keyof typeof ICONS] : Send)

/** A card's buttons as they will stand; they lead nowhere here. */
const CardButtons = ({ buttons }: { readonly buttons: Json | undefined }) => {
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
            <CardText text={textAt(button, 'title') || '…'} />
          </li>
        )
      })}
    </ul>
  )
}

/** In the place of a card that says nothing yet. */
export const EmptyCardPreview = () => {
  const { t } = useTranslation('designer')
  return (
    <p className="pl-card" data-empty>
      {t('card.nothing')}
    </p>
  )
}

/** Only addresses a browser loads without sending other data to their server. */
const isShowable = (address: string) => /^https:\/\/[^\s{}<>]+$|^data:image\//u.test(address)

/** A card's picture; a variable's name where it comes from one, and a word where the address is none of a picture. */
export const CardPicture = ({ address, ratio }: { readonly address: string; readonly ratio?: string | undefined }) => {
  const { t } = useTranslation('designer')
  const [failed, fail] = useState('')
  const [width, height] = (ratio ?? '').split(':').map(Number)
  const aspectRatio = width && height ? `${width} / ${height}` : undefined
  if (isShowable(address) && failed !== address) {
    return (
      <img
        className="pl-picture"
        style={{ aspectRatio }}
        src={address}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => fail(address)}
      />
    )
  }
  return (
    <span className="pl-picture" data-missing style={{ aspectRatio }}>
      {/[{<]/u.test(address) ? (
        <CardText text={address} />
      ) : (
        <>
          <ImageOff size={18} aria-hidden />
          {t('card.noPicture')}
        </>
      )}
    </span>
  )
}

const Media = ({ kind }: { readonly kind: string }) => {
  const { t } = useTranslation('designer')
  const Icon = kind === 'audio' ? Volume2 : Film
  return (
    <span className="pl-media">
      <Icon size={18} aria-hidden />
      {t(`media.${kind}`, { defaultValue: t('media.file') })}
    </span>
  )
}

const Card = ({ card }: { readonly card: CardPreviewContent }) => (
  <div className="pl-card" data-thumbnail={card.thumbnail || undefined}>
    {card.picture === '' ? null : <CardPicture address={card.picture} ratio={card.ratio} />}
    {card.media === '' ? null : <Media kind={card.media} />}
    <div className="pl-card-words">
      {card.title === '' ? null : (
        <b>
          <CardText text={card.title} />
        </b>
      )}
      {card.subtitle === '' ? null : (
        <small>
          <CardText text={card.subtitle} />
        </small>
      )}
      {card.text === '' ? null : (
        <p>
          <CardText text={card.text} />
        </p>
      )}
    </div>
    <CardButtons buttons={card.buttons} />
  </div>
)

/** Cards as they will look, side by side where there are several. */
export const CardPreview = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const cards = readCards(node.properties)
  const shown = cards.filter(card => !isEmptyCard(card))
  return (
    <PanelSection title={t('card.preview')}>
      {shown.length === 0 ? (
        <EmptyCardPreview />
      ) : (
        <div
          className="pl-cards"
          data-several={cards.length > 1 || undefined}
          tabIndex={cards.length > 1 ? 0 : undefined}
        >
          {shown.map((card, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two cards may be the same
            <Card key={place} card={card} />
          ))}
        </div>
      )}
    </PanelSection>
  )
}
