import { AGENT_SYSTEM_NAMES } from '../agent-system.ts'
import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { addressRules } from './common-fields.ts'

export const connecttoagent = defineBlock({
  type: 'connecttoagent',
  category: 'integration',
  icon: 'Headset',
  summary: '{agentSystem} · {queue}',
  fields: {
    agentSystem: f.enumeration(AGENT_SYSTEM_NAMES, { initial: '' }),
    queue: f.expression(),
    urls: f.strings(),
    contactId: f.expression({ half: true }),
    agentId: f.expression({ half: true }),
    priority: f.integer(0, { min: 0, max: 3, tab: 'rules' }),
    protocol: f.string(),
    customFields: f.list({ name: f.string(), value: f.expression() }, { record: { key: 'name', value: 'value' } }),
    transcript: f.switch(false, { tab: 'rules' }),
    confirmation: f.rich({ tab: 'rules' }),
  },
  rules: [
    { field: 'agentSystem', check: 'required', severity: 'warning' },
    ...addressRules('urls', { severity: 'warning' }),
    { field: 'customFields.name', check: 'required', severity: 'warning' },
  ],
})
