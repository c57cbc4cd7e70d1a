import type { Json } from '#schemas/event.ts'
import type { ServiceRoute } from './answer.ts'

const DAY_MS = 86_400_000
const FIRST_CASE = 30_001
const SITUATIONS = ['a caminho', 'atrasado', 'entregue']

const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** 2026-11-23 → 23/11/2026 */
const spoken = (day: string): string => day.split('-').reverse().join('/')

/** Orders that begin with CL are there; the last digit says how they stand. */
const orderOf = (number: string): Json => {
  if (!/^cl\d+$/iu.test(number)) return null
  const digit = Number(number.at(-1))
  return {
    numero: number.toUpperCase(),
    situacao: SITUATIONS[digit % SITUATIONS.length] ?? 'a caminho',
    previsao: dayFrom(2),
    transportadora: 'Rota Certa',
    entregue_em: spoken(dayFrom(-3)),
    recebedor: 'Portaria',
    itens: [{ nome: 'Luminária Aurora', quantidade: 1 }],
  }
}

const orders = (): readonly ServiceRoute[] => [
  {
    method: 'GET',
    path: /^\/clientes$/u,
    answer: () => ({ nome: 'Marina', email: 'marina@casalume.example' }),
  },
  {
    method: 'GET',
    path: /^\/pedidos$/u,
    answer: () => orderOf('CL204518'),
  },
  {
    method: 'GET',
    path: /^\/pedidos\/([^/]+)$/u,
    answer: (_, [number = '']) => orderOf(number),
  },
  {
    method: 'GET',
    path: /^\/pedidos\/([^/]+)\/troca$/u,
    answer: (_, [number = '']) => ({ no_prazo: !number.endsWith('9'), valor: '349,90' }),
  },
  {
    method: 'GET',
    path: /^\/estoque$/u,
    answer: ({ query }) => ({
      quantidade: query.get('produto') === 'Tapete Maré' ? 0 : 12,
      preco: '349,90',
      link: 'https://casalume.example/novidades',
    }),
  },
  {
    method: 'GET',
    path: /^\/lojas$/u,
    answer: ({ query }) =>
      query.get('cep')?.startsWith('0') === true
        ? [{ id: 'paulista', nome: 'Casa Lume Paulista', endereco: 'Avenida Paulista, 900' }]
        : null,
  },
]

const cases = (): readonly ServiceRoute[] => {
  let written = 0
  const next = (): number => {
    written += 1
    return FIRST_CASE + written
  }
  return [
    { method: 'POST', path: /^\/ocorrencias$/u, answer: () => ({ protocolo: `OC${next()}` }) },
    { method: 'POST', path: /^\/etiquetas$/u, answer: () => ({ codigo: `BR${next()}LUME` }) },
    { method: 'POST', path: /^\/(?:recados|interesses|avaliacoes)$/u, answer: () => ({ numero: next() }) },
    { method: 'POST', path: /^\/reembolsos$/u, answer: () => ({ valor: '349,90', prazo: '7 dias' }) },
  ]
}

const payments = (): readonly ServiceRoute[] => [
  {
    method: 'POST',
    path: /^\/pix$/u,
    answer: () => ({ codigo: '00020126330014br.gov.bcb.pix0111casalume5204000053039865406349.90' }),
  },
  {
    method: 'GET',
    path: /^\/pix\/chaves\/([^/]+)$/u,
    answer: (_, [key = '']) => key.replaceAll(/\D/gu, ''),
  },
  {
    method: 'GET',
    path: /^\/boletos\/([^/]*)$/u,
    answer: () => ({
      vencido: false,
      vencimento: spoken(dayFrom(5)),
      linha_digitavel: '34191.79001 01043.510047 91020.150008 5 91230000034990',
    }),
  },
]

/** The orders, cases and payments of the sample's furniture shop. */
export const retailService = (): readonly ServiceRoute[] => [...orders(), ...cases(), ...payments()]
