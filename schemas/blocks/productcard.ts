import { type BlockRule, defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { promptFields } from './common-fields.ts'

const single = { messageType: ['SINGLE_PRODUCT'] }
const several = { messageType: ['MULTI_PRODUCT'] }
const headed = { headerType: ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] }

const required = (field: string, when?: BlockRule['when']): BlockRule => ({
  field,
  check: 'required',
  severity: 'error',
  ...(when === undefined ? {} : { when }),
})

export const productcard = defineBlock({
  type: 'productcard',
  category: 'cards',
  icon: 'ShoppingBag',
  summary: '{bodyContent} · {headerContent}',
  panel: 'product',
  fields: {
    messageType: f.enumeration(['SINGLE_PRODUCT', 'MULTI_PRODUCT']),
    headerType: f.enumeration(['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT']),
    headerContent: f.expression({ when: headed }),
    bodyContent: f.rich(),
    footerContent: f.expression(),
    singleProductCatalogId: f.string({ when: single, half: true }),
    singleProductId: f.string({ when: single, half: true }),
    multiProductCatalogId: f.string({ when: several }),
    sections: f.list(
      { title: f.string(), productList: f.list({ productId: f.string() }, { bare: 'productId' }) },
      { when: several },
    ),
    destination: f.expression(),
    ...promptFields,
  },
  rules: [
    required('headerContent', headed),
    required('bodyContent'),
    required('singleProductCatalogId', single),
    required('singleProductId', single),
    required('multiProductCatalogId', several),
    { field: 'sections', check: 'atLeastOne', severity: 'error', when: several },
    required('sections.title', several),
    { field: 'sections.productList', check: 'atLeastOne', severity: 'error', when: several },
    required('sections.productList.productId', several),
    required('destination'),
  ],
})
