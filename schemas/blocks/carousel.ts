import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { addressRules, buttonFields, buttonRules, mediaFields } from './common-fields.ts'

export const carousel = defineBlock({
  type: 'carousel',
  category: 'cards',
  icon: 'GalleryHorizontalEnd',
  choiceOutputs: [{ list: 'cards.items.options' }],
  panel: 'card',
  fields: {
    cards: f.group({
      itemType: f.enumeration(['herocard', 'mediacard'], { open: true }),
      items: f.list(
        {
          header: f.group({ type: f.string({ hidden: true }), value: f.group(mediaFields) }),
          options: f.list(buttonFields),
        },
        { max: 10 },
      ),
    }),
  },
  rules: [
    { field: 'cards.items', check: 'atLeastOne', severity: 'warning' },
    ...addressRules('cards.items.header.value.uri'),
    ...buttonRules('cards.items.options'),
  ],
})
