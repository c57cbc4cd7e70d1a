import { describe, expect, it } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import { defaultProperties } from '../document/default-properties.ts'
import { checkBlock, checkForm } from './check-block.ts'
import { passes } from './check-value.ts'

const faults = (type: keyof typeof blocks, properties: JsonObject) =>
  checkBlock(blocks[type], { ...defaultProperties(blocks[type]), ...properties }).map(({ rule, item }) =>
    [rule.field, rule.check, ...(item === undefined ? [] : [item.place])].join(' '),
  )

describe('a product card', () => {
  const single = {
    headerType: 'TEXT',
    headerContent: 'Ofertas',
    bodyContent: 'Veja',
    singleProductCatalogId: '1',
    singleProductId: '2',
    destination: '{{contato}}',
  }

  it('needs header, body, catalogue, product and destination [D-5.17]', () => {
    expect(faults('productcard', { headerType: 'TEXT' })).toEqual([
      'headerContent required',
      'bodyContent required',
      'singleProductCatalogId required',
      'singleProductId required',
      'destination required',
    ])
    expect(faults('productcard', single)).toEqual([])
  })

  it('of several products needs a section, and each section a title and a product [D-5.18]', () => {
    const several = { ...single, messageType: 'MULTI_PRODUCT', multiProductCatalogId: '1' }
    expect(faults('productcard', several)).toEqual(['sections atLeastOne'])
    const sections = [
      { title: 'A', productList: ['7'] },
      { title: '', productList: [] },
      { title: 'C', productList: [''] },
    ]
    expect(faults('productcard', { ...several, sections })).toEqual([
      'sections.title required 1',
      'sections.productList atLeastOne 1',
      'sections.productList.productId required 2',
    ])
  })
})

describe('a rule', () => {
  it('counts only while its field has a place on the form', () => {
    expect(faults('receiptcard', { specificToChannel: 'facebook', currency: 'reais' })).toContain('currency currency')
    expect(faults('receiptcard', { currency: 'reais' })).not.toContain('currency currency')
  })

  it('looks at the other fields of the same item', () => {
    const button = (type: string, value: string) => ({ type, title: 'Ver', value })
    const buttons = [button('imBack', 'não é endereço'), button('openUrl', 'não é endereço')]
    expect(faults('herocard', { buttons })).toEqual(['buttons.value address 1'])
  })

  it('holds for the items of a record as for those of a list', () => {
    expect(faults('restservice', { url: 'https://a.test', headers: { '': 'x' } })).toEqual(['headers.name required 0'])
  })
})

describe('a value', () => {
  it.each([
    ['cpf', '529.982.247-25', true],
    ['cpf', '529.982.247-24', false],
    ['cpf', '111.111.111-11', false],
    ['cpf', '{{cpf}}', true],
    ['email', 'ana@exemplo.com.br', true],
    ['email', 'ana@exemplo', false],
    ['telephone', '+55 (11) 98888-7777', true],
    ['telephone', '0800 123 4567', true],
    ['telephone', '3333-4444', true],
    ['telephone', '333-4444', false],
    ['telephone', '+55 11 98888-7777 99 99', false],
    ['telephone', '+0 11 98888-7777', false],
    ['telephone', '--------12345678', false],
    ['telephone', '11 98888-7777 ramal 2', false],
    ['telephone', 'onze', false],
    ['date', '29/02/2024', true],
    ['date', '2026-02-29', false],
    ['address', 'https://exemplo.com/a?b={{c}}', true],
    ['address', 'https://ana:senha@exemplo.com', false],
    ['address', 'javascript:alert(1)', false],
    ['address', 'https://ana:{{senha}}@exemplo.com', false],
    ['address', 'javascript:alert({{x}})', false],
    ['address', ['https://a.example', 'b'], false],
    ['address', '{{base}}/a', true],
    ['address', '{{scheme}}://{{host}}', true],
    ['address', 'https://{{email.split("@")[0]}}/a', true],
    ['address', '<@ base @>', true],
    ['address', '/pedidos?dia={{dia}}', true],
    ['address', '//ana:senha@exemplo.com', false],
    ['host', '/pedidos?dia={{dia}}', false],
    ['host', '{{base}}/pedidos', true],
    ['host', 'https://exemplo.com', true],
    ['latitude', '-23,5', true],
    ['latitude', '90.5', false],
    ['longitude', '-180', true],
    ['longitude', 'oeste', false],
    ['picture', 'data:image/png;base64,AA', true],
    ['picture', 'https://ana:senha@exemplo.com/{{foto}}', false],
    ['picture', '{{foto}}', true],
    ['number', '12,5', true],
    ['number', 'doze', false],
    ['currency', 'BRL', true],
    ['currency', 'R$', false],
    ['clock', '23:59', true],
    ['clock', '24:00', false],
    ['timezone', 'America/Sao_Paulo', true],
    ['timezone', '{{zone}}', true],
    ['timezone', 'Mars/Olympus', false],
    ['json', '[', false],
    ['json', '[{"type":"TextBlock"}]', true],
    ['json', '["TextBlock"]', false],
    ['required', '  ', false],
    ['email', '', true],
  ] as const)('is checked as %s: %s', (check, value, good) => {
    expect(passes(check, value)).toBe(good)
  })
})

it('takes what a file leaves out as the form shows it', () => {
  expect(faults('herocard', { buttons: [{ title: 'Ver', value: 'javascript:alert(1)' }] })).toEqual([
    'buttons.value address 0',
  ])
})

it('a form also says what its block must point at, and that a message says nothing', () => {
  const { schedule, clearvariables, text } = blocks

  const said = [
    ...checkForm(schedule, defaultProperties(schedule)),
    ...checkForm(clearvariables, { variables: ['nome', ''] }),
    ...checkForm(text, defaultProperties(text)),
  ]

  expect(said.map(({ rule, item }) => [rule.field, rule.check, item])).toEqual([
    ['task', 'required', undefined],
    ['variables.name', 'required', { list: 'variables', place: 1 }],
    ['text', 'required', undefined],
  ])
})

describe('a condition', () => {
  const rule = { source: 'input', comparison: 'equals', values: ['sim'] }
  const said = (...rules: JsonObject[]) => faults('condition', { conditions: [{ id: 'a', rules }] })

  it('has a left side, and a right side where its comparison asks for one', () => {
    expect(said(rule, { source: 'variable', variable: 'nome', comparison: 'isBlank' })).toEqual([])
    expect(said({ ...rule, values: [], valueVariable: 'nome' })).toEqual([])
    expect(said({ ...rule, source: 'variable', variable: '' })).toEqual(['conditions.rules.variable required 0'])
    expect(said({ ...rule, source: 'expression' })).toEqual(['conditions.rules.expression required 0'])
    expect(said({ comparison: 'greater' })).toEqual(['conditions.rules.values atLeastOne 0'])
  })

  it('is asked the same of its groups', () => {
    const groups = [{ id: 'g', rules: [{ ...rule, values: [] }] }]
    expect(faults('condition', { conditions: [{ id: 'a', rules: [rule], groups }] })).toEqual([
      'conditions.groups.rules.values atLeastOne 0',
    ])
  })
})

describe('a rating', () => {
  it('needs a question, and has a scale of 1 to 5 about the agent at first [P-2465]', () => {
    expect(faults('rating', {})).toEqual(['text required'])
    expect(faults('rating', { text: 'Gostou?' })).toEqual([])
    expect(defaultProperties(blocks.rating)).toMatchObject({ scale: '5', about: 'agent', comment: '', varname: '' })
  })
})
