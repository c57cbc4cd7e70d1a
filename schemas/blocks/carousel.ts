import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { buttonFields } from './card-fields.ts'
import { mediaFields } from './media-fields.ts'

export const carousel = defineBlock({
  type: 'carousel',
  category: 'cards',
  icon: 'GalleryHorizontalEnd',
  fields: {
    cards: f.group({
      itemType: f.string(),
      items: f.list(
        {
          header: f.group({ type: f.string(), value: f.group(mediaFields) }),
          options: f.list(buttonFields),
        },
        { max: 10 },
      ),
    }),
  },
})
