import { ExternalLink, FileText, MapPin } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { safeCard } from '#domain/flow/card/adaptive-card.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'
import { MessageText } from '#web/components/message-text.tsx'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { isOfCard, type SimulationMessage } from './use-simulation.ts'

const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const isWeb = (address: string): boolean => /^https?:\/\//iu.test(address)

const Picture = ({ address, alt }: { readonly address: string; readonly alt: string }) => {
  const [broken, setBroken] = useState('')
  if (!isWeb(address)) return null
  // As in the web chat, a picture that does not load leaves no frame.
  if (broken === address) return alt === '' ? null : <span>{alt}</span>
  return <img src={address} alt={alt} loading="lazy" referrerPolicy="no-referrer" onError={() => setBroken(address)} />
}

const Address = ({ address, label }: { readonly address: string; readonly label: string }) =>
  isWeb(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {label || address}
      <ExternalLink size={12} aria-hidden />
    </a>
  ) : (
    <span>{label || address}</span>
  )

const Card = ({ card }: { readonly card: { readonly [name: string]: unknown } }) => (
  <>
    <Picture address={textOf(card.image)} alt={textOf(card.title)} />
    {textOf(card.title) === '' ? null : <b>{textOf(card.title)}</b>}
    {textOf(card.subtitle) === '' ? null : <span className="ps-muted">{textOf(card.subtitle)}</span>}
    {textOf(card.text) === '' ? null : (
      <span>
        <MessageText text={textOf(card.text)} />
      </span>
    )}
  </>
)

const Pairs = ({ values }: { readonly values: JsonObject }) => (
  <dl className="ps-pairs">
    {Object.entries(values)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value as Json)}</dd>
        </div>
      ))}
  </dl>
)

interface MessageBodyProps {
  readonly message: SimulationMessage
  /** Sends the inputs of an adaptive card; absent where it no longer waits. */
  readonly onSubmit?: ((data: Json) => void) | undefined
}

/** The library that draws cards is larger than the rest of the panel. */
const drawing = lazyModule(async () => (await import('../blocks/adaptive-card/adaptive-drawing.tsx')).AdaptiveDrawing)

const Adaptive = ({ message, onSubmit }: MessageBodyProps) => {
  const { t } = useTranslation('simulation')
  const { value: Drawing } = useLazyModule(drawing)
  const card = useMemo(() => {
    const { body = [], submit = false } = message
    const actions = objects(message.actions).filter(isOfCard)
    const isMissing = submit === true && !actions.some(({ type }) => type === 'Action.Submit')
    return safeCard({ body: body as Json, actions, putSubmitButton: isMissing }, t('chat.send')).card
  }, [message, t])
  return Drawing === undefined ? null : <Drawing card={card} onSubmit={onSubmit} />
}

export const MessageBody = ({ message, onSubmit }: MessageBodyProps) => {
  switch (message.type) {
    case 'card':
      return <Card card={message} />
    case 'carousel':
      return (
        <ul className="ps-carousel">
          {objects(message.cards).map((card, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a card has no identity beside its place
            <li key={place}>
              <Card card={card} />
              {objects(card.actions).map(action => (
                <span key={textOf(action.id)} className="ps-offer">
                  {textOf(action.title)}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )
    case 'media':
      return (
        <>
          <Address address={textOf(message.url)} label={textOf(message.title)} />
          {textOf(message.text) === '' ? null : <MessageText text={textOf(message.text)} />}
        </>
      )
    case 'location':
      return (
        <span className="ps-inline">
          <MapPin size={14} aria-hidden />
          {message.from === 'user'
            ? textOf(message.text)
            : textOf(message.address) || `${String(message.latitude)}, ${String(message.longitude)}`}
        </span>
      )
    case 'receipt':
      return <Pairs values={isObject(message.receipt) ? message.receipt : {}} />
    case 'product':
      return <Pairs values={isObject(message.product) ? message.product : {}} />
    case 'adaptive':
      return <Adaptive message={message} onSubmit={onSubmit} />
    default:
      return (
        <>
          <span>
            <MessageText text={textOf(message.text)} />
          </span>
          {objects(message.attachments).map(attachment => (
            <span key={textOf(attachment.contentUrl)} className="ps-inline">
              <FileText size={14} aria-hidden />
              <Address address={textOf(attachment.contentUrl)} label={textOf(attachment.name)} />
            </span>
          ))}
        </>
      )
  }
}
