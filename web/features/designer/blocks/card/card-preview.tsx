import { Film, Volume2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useForm } from '../../inspector/form-context.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { CardButtons } from './card-buttons.tsx'
import { CardPicture } from './card-picture.tsx'
import { CardWords } from './card-texts.tsx'
import { NothingYet } from './empty-preview.tsx'
import { type CardFace, isEmptyCard, readCards } from './read-card.ts'

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

const Card = ({ card }: { readonly card: CardFace }) => (
  <div className="pl-card" data-thumbnail={card.thumbnail || undefined}>
    {card.picture === '' ? null : <CardPicture address={card.picture} ratio={card.ratio} />}
    {card.media === '' ? null : <Media kind={card.media} />}
    <div className="pl-card-words">
      {card.title === '' ? null : (
        <b>
          <CardWords text={card.title} />
        </b>
      )}
      {card.subtitle === '' ? null : (
        <small>
          <CardWords text={card.subtitle} />
        </small>
      )}
      {card.text === '' ? null : (
        <p>
          <CardWords text={card.text} />
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
        <NothingYet />
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
