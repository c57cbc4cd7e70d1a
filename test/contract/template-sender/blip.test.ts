import { expect } from 'vitest'
import { BLIP_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { cloudTemplates } from './cloud-template.ts'
import { ownFile, templateContract } from './contract.ts'

templateContract({
  wire: BLIP_TEMPLATES,
  settles: true,
  failure: '42',
  samples: [['text', 'blip', 'out-whatsapp-json']],
  sent: cloudTemplates(
    template => ({
      id: expect.stringMatching(/^p1:[0-9a-f-]{36}\.0\.1$/u),
      to: '5511999990000@wa.gw.msging.net',
      type: 'application/json',
      content: { type: 'template', template },
    }),
    { link: ownFile },
  ),
  refusals: [
    [429, {}, 'completed', null],
    [401, {}, 'paused', 'http.401'],
    [400, { reason: { code: 21, description: 'x' } }, 'completed', 'blip.21'],
    [400, { reason: { code: 61, description: 'x' } }, 'paused', 'blip.61'],
    [500, {}, 'completed', '500'],
  ],
})
