import { describe, expect, it } from 'vitest'
import { templateOf } from '../template/template.ts'
import { mappedValues, mappingOf, messageBody, templateVariables } from './message-body.ts'

const values = (pairs: Record<string, string>) => new Map(Object.entries(pairs))
const componentsOf = (fields: Parameters<typeof templateOf>[0], given: Record<string, string>) => {
  const { template } = messageBody(templateOf(fields), '+5511987654321', values(given), 'p1:x')
  return (template as { readonly components: unknown }).components
}

describe('a message of a campaign', () => {
  it('fills header, body and buttons, values without line breaks and encoded in addresses [P-1328]', () => {
    const fields = {
      ...{ templateName: 'promo', language: 'pt_BR', category: 'marketing', templateType: 'TEXT' },
      header: 'Oi, {{1}}',
      body: '{{1}} por {{2}} hoje.',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Quero' },
        { type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}' },
        { type: 'COPY_CODE', example: 'A1' },
      ],
    }
    expect(templateVariables(templateOf(fields))).toEqual(['header', '1', '2', 'button.2', 'button.3'])
    expect(
      componentsOf(fields, {
        header: 'Ana',
        '1': 'Luz\nalta',
        '2': 'R$ 9',
        'button.2': 'pé de meia',
        'button.3': 'LUZ',
      }),
    ).toEqual([
      { type: 'header', parameters: [{ type: 'text', text: 'Ana' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Luz alta' },
          { type: 'text', text: 'R$ 9' },
        ],
      },
      {
        type: 'button',
        sub_type: 'url',
        index: '1',
        parameters: [{ type: 'text', text: 'p%C3%A9%20de%20meia' }],
      },
      { type: 'button', sub_type: 'copy_code', index: '2', parameters: [{ type: 'coupon_code', coupon_code: 'LUZ' }] },
    ])
  })

  it('names named parameters, and fills every card of a carousel [P-1328]', () => {
    const card = { headerType: 'IMAGE', body: 'Só {{1}}', button1: 'QUICK_REPLY', button1_text: 'Quero' }
    const fields = {
      ...{ templateName: 'c', language: 'en', category: 'marketing', templateType: 'CAROUSEL' },
      ...{ parameter_format: 'named', body: 'Hi, {{first_name}}!', cards: [card, card] },
    }
    const given = { first_name: 'Ana', 'card.1.header': 'https://a.example/1.png', 'card.1.body.1': 'x' }
    expect(templateVariables(templateOf(fields))).toContain('card.2.body.1')
    expect(componentsOf(fields, given)).toMatchObject([
      { type: 'body', parameters: [{ parameter_name: 'first_name', text: 'Ana' }] },
      {
        type: 'carousel',
        cards: [
          {
            card_index: 0,
            components: [
              { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.example/1.png' } }] },
              {},
            ],
          },
          { card_index: 1 },
        ],
      },
    ])
  })

  it('takes values from fields, formats them, and says which one is missing [P-1328]', () => {
    const mapping = mappingOf([
      { variable: '1', source: 'nome', format: 'uppercase' },
      { variable: '2', source: 'field01', format: 'currency' },
      { variable: '3', source: 'field02', format: 'date' },
      { variable: '4', source: 'field03', default: 'nada' },
      { variable: '5', source: 'text', text: 'fixo' },
    ])
    const contact = { nome: 'ana', fields: { field01: '1234.5', field02: '2026-11-23' } }
    const { values: found } = mappedValues(['1', '2', '3', '4', '5'], mapping, contact, 'pt_BR')
    expect([...found.values()]).toEqual(['ANA', 'R$ 1.234,50', '23/11/2026', 'nada', 'fixo'])
    expect(mappedValues(['2'], mapping, { nome: '', fields: {} }, 'pt_BR').missing).toBe('2')
  })
})
