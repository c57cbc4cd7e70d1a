import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const receiptcard = defineBlock({
  type: 'receiptcard',
  category: 'cards',
  icon: 'ReceiptText',
  fields: {
    specificToChannel: f.enumeration(['microsoft_channels', 'facebook']),
    title: f.expression(),
    facts: f.list({ key: f.expression(), value: f.expression() }),
    items: f.list({
      title: f.expression(),
      subtitle: f.expression(),
      quantity: f.expression(),
      price: f.expression(),
      image: f.expression(),
    }),
    recipient_name: f.expression(),
    merchant_name: f.expression(),
    order_number: f.expression(),
    currency: f.string({ initial: 'BRL' }),
    payment_method: f.expression(),
    order_url: f.expression(),
    timestamp: f.expression(),
    address: f.group({
      street_1: f.expression(),
      street_2: f.expression(),
      city: f.expression(),
      postal_code: f.expression(),
      state: f.expression(),
      country: f.expression(),
    }),
    summary: f.group({
      subtotal: f.expression(),
      shipping_cost: f.expression(),
      total_tax: f.expression(),
      total_cost: f.expression(),
    }),
    adjustments: f.list({ name: f.expression(), amount: f.expression() }),
    elements: f.list({
      title: f.expression(),
      subtitle: f.expression(),
      quantity: f.expression(),
      price: f.expression(),
      currency: f.string(),
      image_url: f.expression(),
    }),
  },
})
