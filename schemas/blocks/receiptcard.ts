import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'
import { addressRules } from './common-fields.ts'

const microsoft = { specificToChannel: ['microsoft_channels'] }
const facebook = { specificToChannel: ['facebook'] }

export const receiptcard = defineBlock({
  type: 'receiptcard',
  category: 'cards',
  icon: 'ReceiptText',
  summary: '{title}{merchant_name} · {summary.total_cost}',
  panel: 'receipt',
  fields: {
    specificToChannel: f.enumeration(['microsoft_channels', 'facebook']),
    title: f.expression({ when: microsoft }),
    facts: f.list({ key: f.expression(), value: f.expression() }, { when: microsoft }),
    items: f.list(
      {
        title: f.expression(),
        subtitle: f.expression(),
        quantity: f.expression({ half: true }),
        price: f.expression({ half: true }),
        image: f.expression({ upload: { accept: 'picture' } }),
      },
      { when: microsoft },
    ),
    recipient_name: f.expression({ when: facebook }),
    merchant_name: f.expression({ when: facebook }),
    order_number: f.expression({ when: facebook, half: true }),
    currency: f.string({ initial: 'BRL', when: facebook, half: true }),
    payment_method: f.expression({ when: facebook, half: true }),
    timestamp: f.expression({ when: facebook, half: true }),
    order_url: f.expression({ when: facebook }),
    elements: f.list(
      {
        title: f.expression(),
        subtitle: f.expression(),
        quantity: f.expression({ half: true }),
        price: f.expression({ half: true }),
        currency: f.string({ half: true }),
        image_url: f.expression({ upload: { accept: 'picture' } }),
      },
      { when: facebook },
    ),
    address: f.group(
      {
        street_1: f.expression(),
        street_2: f.expression(),
        city: f.expression({ half: true }),
        postal_code: f.expression({ half: true }),
        state: f.expression({ half: true }),
        country: f.expression({ half: true }),
      },
      { when: facebook },
    ),
    adjustments: f.list({ name: f.expression(), amount: f.expression() }, { when: facebook }),
    summary: f.group(
      {
        subtotal: f.expression({ half: true }),
        shipping_cost: f.expression({ half: true }),
        total_tax: f.expression({ half: true }),
        total_cost: f.expression({ half: true }),
      },
      { when: facebook },
    ),
  },
  rules: [
    { field: 'items', check: 'atLeastOne', severity: 'warning', when: microsoft },
    { field: 'items.title', check: 'required', severity: 'warning', when: microsoft },
    { field: 'items.price', check: 'number', severity: 'warning', when: microsoft },
    { field: 'items.image', check: 'picture', severity: 'warning', when: microsoft },
    { field: 'recipient_name', check: 'required', severity: 'warning', when: facebook },
    { field: 'order_number', check: 'required', severity: 'warning', when: facebook },
    { field: 'currency', check: 'currency', severity: 'warning', when: facebook },
    { field: 'payment_method', check: 'required', severity: 'warning', when: facebook },
    ...addressRules('order_url', { when: facebook }),
    { field: 'elements.title', check: 'required', severity: 'warning', when: facebook },
    { field: 'elements.price', check: 'number', severity: 'warning', when: facebook },
    { field: 'elements.currency', check: 'currency', severity: 'warning', when: facebook },
    { field: 'elements.image_url', check: 'picture', severity: 'warning', when: facebook },
    { field: 'adjustments.amount', check: 'number', severity: 'warning', when: facebook },
    { field: 'summary.total_cost', check: 'required', severity: 'warning', when: facebook },
    { field: 'summary.total_cost', check: 'number', severity: 'warning', when: facebook },
  ],
})
