import { expect } from 'vitest'
import { THREESIXTY_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/contract.ts'
import { cloudTemplates } from './cloud-template.ts'
import { templateContract } from './contract.ts'

templateContract({
  wire: THREESIXTY_TEMPLATES,
  settles: true,
  failure: '131026',
  samples: [
    ['text', 'whatsapp-meta', 'out-message-template-text'],
    ['reply', 'whatsapp-meta', 'out-message-template-interactive'],
  ],
  extra: ['biz_opaque_callback_data', 'template.language.policy'],
  sent: cloudTemplates(
    template => ({ messaging_product: 'whatsapp', recipient_type: 'individual', type: 'template', template }),
    { id: expect.stringMatching(/^media-\d+$/u) },
  ),
  refusals: [
    [400, sample('whatsapp-360dialog', 'err-rate'), 'completed', null],
    [401, sample('whatsapp-360dialog', 'err-401'), 'paused', 'http.401'],
    [400, { error: { code: 131026 } }, 'completed', '131026'],
    [400, { error: { code: 132015 } }, 'paused', '132015'],
    [500, {}, 'completed', '500'],
  ],
})
