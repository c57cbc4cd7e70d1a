import { ExternalLink, FileText, MapPin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isObject } from '#domain/flow/document/json.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { MessageText } from './message-text.tsx'
import type { SimulationMessage } from './use-simulation.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const isWeb = (address: string): boolean => /^https?:\/\//iu.test(address)

const Picture = ({ address, alt }: { readonly address: string; readonly alt: string }) =>
  isWeb(address) ? <img src={address} alt={alt} loading="lazy" referrerPolicy="no-referrer" /> : null

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
    <Picture address={text(card.image)} alt={text(card.title)} />
    {text(card.title) === '' ? null : <b>{text(card.title)}</b>}
    {text(card.subtitle) === '' ? null : <span className="ps-muted">{text(card.subtitle)}</span>}
    {text(card.text) === '' ? null : (
      <span>
        <MessageText text={text(card.text)} />
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

/** What a message shows, by its type. */
export const MessageBody = ({ message }: { readonly message: SimulationMessage }) => {
  const { t } = useTranslation('simulation')
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
                <span key={text(action.id)} className="ps-offer">
                  {text(action.title)}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )
    case 'media':
      return (
        <>
          <Address address={text(message.url)} label={text(message.title)} />
          {text(message.text) === '' ? null : <MessageText text={text(message.text)} />}
        </>
      )
    case 'location':
      return (
        <span className="ps-inline">
          <MapPin size={14} aria-hidden />
          {message.from === 'user'
            ? text(message.text)
            : text(message.address) || `${String(message.latitude)}, ${String(message.longitude)}`}
        </span>
      )
    case 'receipt':
      return <Pairs values={isObject(message.receipt) ? message.receipt : {}} />
    case 'product':
      return <Pairs values={isObject(message.product) ? message.product : {}} />
    case 'adaptive':
      return (
        <>
          <span className="ps-muted">{t('adaptive')}</span>
          <pre>{JSON.stringify(message.body, null, 1)}</pre>
        </>
      )
    default:
      return (
        <>
          <span>
            <MessageText text={text(message.text)} />
          </span>
          {objects(message.attachments).map(attachment => (
            <span key={text(attachment.contentUrl)} className="ps-inline">
              <FileText size={14} aria-hidden />
              <Address address={text(attachment.contentUrl)} label={text(attachment.name)} />
            </span>
          ))}
        </>
      )
  }
}
