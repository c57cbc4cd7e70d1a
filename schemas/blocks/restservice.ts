import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { addressRules, headerFields } from './common-fields.ts'

const pairs = { record: { key: 'name', value: 'value' } } as const
const withBody = { methodType: ['post', 'put', 'patch', 'delete'] }

export const restservice = defineBlock({
  type: 'restservice',
  category: 'integration',
  icon: 'Webhook',
  outputs: ['output_1', 'output_error'],
  panel: 'call',
  fields: {
    methodType: f.enumeration(['get', 'post', 'put', 'patch', 'delete']),
    url: f.expression(),
    headers: f.list(headerFields, pairs),
    input: f.code({ language: 'json', when: withBody }),
    formData: f.list({ name: f.string(), value: f.expression() }, { ...pairs, when: withBody }),
    resultVariable: f.reference('variable', { tab: 'answer' }),
    errorVariable: f.reference('variable', { tab: 'answer' }),
    retries: f.integer(2, { tab: 'rules', max: 20 }),
    timeout: f.integer(20_000, { tab: 'rules', max: 600_000, unit: 'ms' }),
    oauthConfigName: f.reference('oauth', { tab: 'rules' }),
  },
  rules: [
    { field: 'url', check: 'required', severity: 'warning' },
    ...addressRules('url'),
    { field: 'headers.name', check: 'required', severity: 'warning' },
    { field: 'formData.name', check: 'required', severity: 'warning', when: withBody },
  ],
})
