import { isObject, textAt } from '#schemas/json.ts'
import { cardRuntime, evaluateFields } from '../card.ts'
import { itemsAt } from '../question.ts'
import { addressElsewhere, say } from '../turn.ts'

/** One product or several of a catalogue. */
export const productcard = cardRuntime(function* (turn, { properties }, skip) {
  const names = ['headerContent', 'bodyContent', 'footerContent', 'destination'] as const
  const { headerContent, bodyContent, footerContent, destination } = yield* evaluateFields(turn, properties, names)
  const isSingle = textAt(properties, 'messageType') !== 'MULTI_PRODUCT'
  const idOf = (item: unknown): string =>
    typeof item === 'string' ? item : isObject(item) ? textAt(item, 'productId') : ''
  const sections = itemsAt(properties, 'sections')
    .filter(isObject)
    .map(section => ({ title: textAt(section, 'title'), products: itemsAt(section, 'productList').map(idOf) }))
  const product = {
    headerType: textAt(properties, 'headerType') || 'NONE',
    header: headerContent,
    body: bodyContent,
    footer: footerContent,
    catalog: textAt(properties, isSingle ? 'singleProductCatalogId' : 'multiProductCatalogId'),
    ...(isSingle ? { product: textAt(properties, 'singleProductId') } : { sections }),
  }
  const to = addressElsewhere(turn, destination)
  say(turn, { type: 'product', product }, { actions: skip, ...(to === undefined ? {} : { destination: to }) })
  return skip
})
