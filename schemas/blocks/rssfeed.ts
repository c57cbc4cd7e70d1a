import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const rssfeed = defineBlock({
  type: 'rssfeed',
  category: 'integration',
  icon: 'Rss',
  fields: {
    url: f.expression(),
    numberOfNews: f.integer(3, { min: 1, max: 100 }),
    rssItems: f.strings({ initial: ['Description', 'Link', 'Image'] }),
    headers: f.list(
      { name: f.string(), value: f.expression() },
      { tab: 'rules', record: { key: 'name', value: 'value' } },
    ),
    timeout: f.integer(20_000, { tab: 'rules', max: 600_000, unit: 'ms' }),
  },
})
