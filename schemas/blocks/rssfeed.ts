import { defineBlock, ERROR_OUTPUT } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { addressRules, headerFields } from './common-fields.ts'

const ITEMS = ['Description', 'Link', 'Image'] as const

export const rssfeed = defineBlock({
  type: 'rssfeed',
  category: 'integration',
  icon: 'Rss',
  panel: 'feed',
  choiceOutputs: [ERROR_OUTPUT],
  fields: {
    url: f.expression(),
    numberOfNews: f.integer(3, { min: 1, max: 100 }),
    rssItems: f.strings({ initial: ITEMS, options: ITEMS }),
    headers: f.list(headerFields, { tab: 'rules', record: { key: 'name', value: 'value' } }),
    timeout: f.integer(20_000, { tab: 'rules', max: 600_000, unit: 'ms' }),
  },
  rules: [
    { field: 'url', check: 'required', severity: 'warning' },
    ...addressRules('url'),
    { field: 'headers.name', check: 'required', severity: 'warning' },
  ],
})
