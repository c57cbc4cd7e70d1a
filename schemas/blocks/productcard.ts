import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { promptFields } from './prompt-fields.ts'

export const productcard = defineBlock({
  type: 'productcard',
  category: 'cards',
  icon: 'ShoppingBag',
  fields: {
    messageType: f.enumeration(['SINGLE_PRODUCT', 'MULTI_PRODUCT']),
    headerType: f.enumeration(['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT']),
    headerContent: f.expression(),
    bodyContent: f.rich({ required: true }),
    footerContent: f.expression(),
    singleProductCatalogId: f.string(),
    singleProductId: f.string(),
    multiProductCatalogId: f.string(),
    destination: f.expression(),
    sections: f.list({ title: f.string(), productList: f.list({ productId: f.string() }, { bare: 'productId' }) }),
    ...promptFields,
  },
})
