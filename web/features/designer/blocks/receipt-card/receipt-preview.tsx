import { useTranslation } from 'react-i18next'
import type { JsonObject } from '#schemas/event.ts'
import { useWords } from '../../canvas/canvas-context.ts'
import { useForm } from '../../inspector/form-context.ts'
import { CardPicture, EmptyCardPreview } from '../card/card-preview.tsx'
import { CardText } from '../card/card-text.tsx'
import { itemsAt, objectAt, textAt } from '../card/read-card.ts'
import { PanelSection } from '../panel/panel-section.tsx'

interface Row {
  readonly name: string
  readonly value: string
  readonly strong?: boolean
}

interface Item {
  readonly title: string
  readonly subtitle: string
  readonly picture: string
  readonly quantity: string
  readonly price: string
}

/** Formats an amount in its currency; keeps other text, such as a variable. */
const useMoney = () => {
  const { i18n } = useTranslation()
  return (amount: string, currency: string): string => {
    const number = Number(amount.replace(',', '.'))
    if (amount.trim() === '' || !Number.isFinite(number)) return amount
    if (!/^[A-Z]{3}$/u.test(currency)) return amount
    return new Intl.NumberFormat(i18n.language, { style: 'currency', currency }).format(number)
  }
}

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <dl className="pl-receipt-rows">
    {rows
      .filter(({ value }) => value !== '')
      .map(({ name, value, strong }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be named the same
        <div key={place} data-strong={strong || undefined}>
          <dt>
            <CardText text={name} />
          </dt>
          <dd>
            <CardText text={value} />
          </dd>
        </div>
      ))}
  </dl>
)

const Items = ({ items }: { readonly items: readonly Item[] }) => (
  <ul className="pl-receipt-items">
    {items.map((item, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
      <li key={place}>
        {item.picture === '' ? null : <CardPicture address={item.picture} ratio="1:1" />}
        <span>
          <b>
            <CardText text={item.title || '…'} />
          </b>
          <small>
            <CardText text={[item.quantity === '' ? '' : `${item.quantity} ×`, item.subtitle].join(' ').trim()} />
          </small>
        </span>
        <span>
          <CardText text={item.price} />
        </span>
      </li>
    ))}
  </ul>
)

const itemOf = (item: JsonObject, picture: string, price: string): Item => ({
  title: textAt(item, 'title'),
  subtitle: textAt(item, 'subtitle'),
  quantity: textAt(item, 'quantity'),
  picture: textAt(item, picture),
  price,
})

const Microsoft = ({ properties }: { readonly properties: JsonObject }) => (
  <>
    <b>
      <CardText text={textAt(properties, 'title')} />
    </b>
    <Rows
      rows={itemsAt(properties, 'facts').map(fact => ({ name: textAt(fact, 'key'), value: textAt(fact, 'value') }))}
    />
    <Items items={itemsAt(properties, 'items').map(item => itemOf(item, 'image', textAt(item, 'price')))} />
  </>
)

const ADDRESS = ['street_1', 'street_2', 'city', 'state', 'postal_code', 'country'] as const
const SUMMARY = ['subtotal', 'shipping_cost', 'total_tax', 'total_cost'] as const

const Facebook = ({ properties }: { readonly properties: JsonObject }) => {
  const words = useWords()
  const money = useMoney()
  const currency = textAt(properties, 'currency')
  const named = (name: string) => words(`block:field.${name}`)
  const said = (name: string): Row => ({ name: named(name), value: textAt(properties, name) })
  const elements = itemsAt(properties, 'elements').map(element =>
    itemOf(element, 'image_url', money(textAt(element, 'price'), textAt(element, 'currency') || currency)),
  )
  const address = ADDRESS.map(name => textAt(objectAt(properties, 'address'), name)).filter(part => part !== '')
  return (
    <>
      <b>
        <CardText text={textAt(properties, 'merchant_name') || textAt(properties, 'recipient_name')} />
      </b>
      <Rows rows={[said('order_number'), said('timestamp'), said('recipient_name'), said('payment_method')]} />
      <Items items={elements} />
      <Rows rows={[{ name: named('address'), value: address.join(', ') }]} />
      <Rows
        rows={[
          ...itemsAt(properties, 'adjustments').map(each => ({
            name: textAt(each, 'name'),
            value: money(textAt(each, 'amount'), currency),
          })),
          ...SUMMARY.map(name => ({
            name: named(name),
            value: money(textAt(objectAt(properties, 'summary'), name), currency),
            strong: name === 'total_cost',
          })),
        ]}
      />
    </>
  )
}

/** A receipt as its channel will show it. */
export const ReceiptPreview = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const said = ['title', 'facts', 'items', 'merchant_name', 'recipient_name', 'order_number', 'elements', 'adjustments']
  const isEmpty = said.every(
    name => textAt(node.properties, name) === '' && itemsAt(node.properties, name).length === 0,
  )
  const Receipt = node.properties.specificToChannel === 'facebook' ? Facebook : Microsoft
  return (
    <PanelSection title={t('card.preview')}>
      {isEmpty ? (
        <EmptyCardPreview />
      ) : (
        <div className="pl-card pl-receipt">
          <Receipt properties={node.properties} />
        </div>
      )}
    </PanelSection>
  )
}
