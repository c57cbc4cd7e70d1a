import type { ServiceRoute } from './answer.ts'

const lastDigit = (text: string): number => Number(text.at(-1) ?? 0)
const FIRST_CALL = 900_101

/** The bills and outages of the sample's power company: the last digit sets the number of open bills. */
export const energyService = (): readonly ServiceRoute[] => {
  let calls = 0
  return [
    {
      method: 'GET',
      path: /^\/instalacoes\/(\d+)\/contas$/u,
      answer: (_, [instalacao = '']) => ({ total: lastDigit(instalacao) % 3 }),
    },
    {
      method: 'POST',
      path: /^\/instalacoes\/(\d+)\/segunda-via$/u,
      answer: (_, [instalacao = '']) => ({
        numero: `${instalacao}-11`,
        mes: 'novembro',
        valor: 187.4,
        vencimento: '2026-12-10',
        total: '187,40',
        vence: '10/12/2026',
        codigo: '83670000001874001380012345678901234567890123',
        pix: '00020126360014br.gov.bcb.pix0114ventania5204000053039865406187.40',
        pdf: `https://midia.ventania.example/contas/${instalacao}-11.pdf`,
      }),
    },
    {
      method: 'GET',
      path: /^\/rede\/(\d+)$/u,
      answer: (_, [instalacao = '']) => (lastDigit(instalacao) % 2 === 0 ? null : { previsao: '18h30' }),
    },
    {
      method: 'POST',
      path: /^\/chamados$/u,
      answer: () => {
        calls += 1
        return { protocolo: `${FIRST_CALL + calls}` }
      },
    },
  ]
}
