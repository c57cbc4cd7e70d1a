import { FileText, Film, Image, ShoppingBag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { JsonObject } from '#schemas/event.ts'
import { useForm } from '../../inspector/form-context.ts'
import { CardPicture } from '../card/card-preview.tsx'
import { CardText } from '../card/card-text.tsx'
import { itemsAt, textAt } from '../card/read-card.ts'
import { PanelSection } from '../panel/panel-section.tsx'

const HEADERS = { VIDEO: Film, DOCUMENT: FileText, IMAGE: Image } as const

const Header = ({ kind, content }: { readonly kind: string; readonly content: string }) => {
  if (kind === 'NONE' || content === '') return null
  if (kind === 'IMAGE') return <CardPicture address={content} />
  const Icon = kind === 'VIDEO' || kind === 'DOCUMENT' ? HEADERS[kind] : undefined
  return Icon === undefined ? (
    <b>
      <CardText text={content} />
    </b>
  ) : (
    <span className="pl-media">
      <Icon size={18} aria-hidden />
      {content.split('/').at(-1)}
    </span>
  )
}

const productsOf = (section: JsonObject): readonly string[] =>
  (Array.isArray(section.productList) ? section.productList : []).map(item =>
    typeof item === 'string' ? item : textAt(item, 'productId'),
  )

const Product = ({ id }: { readonly id: string }) => (
  <li>
    <ShoppingBag size={16} aria-hidden />
    <CardText text={id || '…'} />
  </li>
)

/** A message with one product, or with several in their sections. */
export const ProductPreview = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { properties } = node
  const several = properties.messageType === 'MULTI_PRODUCT'
  return (
    <PanelSection title={t('card.preview')}>
      <div className="pl-card">
        <div className="pl-card-words">
          <Header kind={textAt(properties, 'headerType')} content={textAt(properties, 'headerContent')} />
          <p>
            <CardText text={textAt(properties, 'bodyContent') || '…'} />
          </p>
          <small>
            <CardText text={textAt(properties, 'footerContent')} />
          </small>
        </div>
        {several ? (
          itemsAt(properties, 'sections').map((section, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two sections may be named the same
            <div key={place} className="pl-products">
              <b>{textAt(section, 'title') || '…'}</b>
              <ul>
                {productsOf(section).map((id, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a product may be listed twice
                  <Product key={index} id={id} />
                ))}
              </ul>
            </div>
          ))
        ) : (
          <ul className="pl-products">
            <Product id={textAt(properties, 'singleProductId')} />
          </ul>
        )}
        <ul className="pl-card-buttons">
          <li>{t(several ? 'card.viewItems' : 'card.view')}</li>
        </ul>
      </div>
    </PanelSection>
  )
}
