import { describe, expect, it } from 'vitest'
import { templateOf } from '../template/template.ts'
import {
  fillTemplate,
  mappedValues,
  mappingOf,
  optionalVariables,
  templateMessage,
  templateVariables,
} from './message-body.ts'

const values = (pairs: Record<string, string>) => new Map(Object.entries(pairs))
const META = { provider: 'whatsapp_meta', id: '', names: new Map<string, string>() }
const filled = (fields: Parameters<typeof templateOf>[0], given: Record<string, string>, registration = META) =>
  fillTemplate(templateOf(fields), values(given), registration)

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
    expect(optionalVariables(templateOf(fields))).toEqual(['button.1'])
    const given = { header: 'Ana', '1': 'Luz\nalta', '2': 'R$ 9', 'button.2': 'pé de meia', 'button.3': 'LUZ' }
    expect(filled(fields, { ...given, 'button.1': 'want' })).toEqual({
      ...{ id: '', name: 'promo', language: 'pt_BR', isNamed: false, cards: [] },
      header: { kind: 'text', name: '1', text: 'Ana' },
      body: [
        { name: '1', text: 'Luz alta' },
        { name: '2', text: 'R$ 9' },
      ],
      buttons: [
        { index: 0, kind: 'reply', name: '', value: 'want', label: 'Quero' },
        { index: 1, kind: 'url', name: '1', value: 'p%C3%A9%20de%20meia', label: '' },
        { index: 2, kind: 'code', name: '', value: 'LUZ', label: '' },
      ],
    })
  })

  it('names named parameters, and fills every card of a carousel [P-1328]', () => {
    const card = { headerType: 'IMAGE', body: 'Só {{1}}', button1: 'QUICK_REPLY', button1_text: 'Quero' }
    const fields = {
      ...{ templateName: 'c', language: 'en', category: 'marketing', templateType: 'CAROUSEL' },
      ...{ parameter_format: 'named', body: 'Hi, {{first_name}}!', cards: [card, card] },
    }
    const given = { first_name: 'Ana', 'card.1.header': 'https://a.example/1.png', 'card.1.body.1': 'x' }
    expect(templateVariables(templateOf(fields))).toContain('card.2.body.1')
    const { isNamed, body, cards } = filled(fields, given)
    expect([isNamed, body]).toEqual([true, [{ name: 'first_name', text: 'Ana' }]])
    expect(cards).toMatchObject([
      {
        header: { kind: 'image', source: { from: 'link', url: 'https://a.example/1.png' } },
        body: [{ name: '1', text: 'x' }],
      },
      { header: { source: { from: 'link', url: '' } } },
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

  it('fills a place above the text, whose coordinates are numbers of a map [P-2919]', () => {
    const fields = {
      templateName: 'loja',
      language: 'pt_BR',
      category: 'utility',
      templateType: 'LOCATION',
      body: 'Aqui',
    }
    const variables = templateVariables(templateOf(fields))
    expect(variables).toEqual(['header.latitude', 'header.longitude', 'header.name', 'header.address'])
    const mapping = mappingOf([
      { variable: 'header.latitude', source: 'field01' },
      { variable: 'header.longitude', source: 'field02' },
      { variable: 'header.name', source: 'text', text: 'Loja' },
      { variable: 'header.address', source: 'text', text: 'Rua A, 1' },
    ])
    const mapped = (field01: string, field02: string) =>
      mappedValues(variables, mapping, { nome: '', fields: { field01, field02 } }, 'pt_BR')
    const { values: found, missing } = mapped(' -23,55052 ', '-46.63331')
    expect(missing).toBeUndefined()
    expect(fillTemplate(templateOf(fields), found, META).header).toEqual({
      ...{ kind: 'location', latitude: '-23.55052', longitude: '-46.63331' },
      ...{ title: 'Loja', address: 'Rua A, 1' },
    })
    expect(templateMessage(templateOf(fields), found).text).toBe('Loja, Rua A, 1\n\nAqui')
    expect(mapped('Centro', '-46.6').missing).toBe('header.latitude')
    expect(mapped('-91', '-46.6').missing).toBe('header.latitude')
    expect(mapped('-23.5', '-181').missing).toBe('header.longitude')
  })
})
