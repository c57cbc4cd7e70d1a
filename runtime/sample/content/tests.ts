import { looseTestFile } from '#domain/conversation-test/test-file.ts'
import type { Json } from '#schemas/event.ts'
import { type IdOf, type SampleStep, sampleStep, type When } from '../plan.ts'

interface KeptTest {
  readonly name: string
  readonly description: string
  readonly stubs: readonly Json[]
  readonly steps: readonly Json[]
}

/** Conversation tests of a bot. */
const testDeeds = (id: IdOf, bot: string, by: string, when: When, tests: readonly KeptTest[]): SampleStep[] =>
  tests.map((test, place) =>
    sampleStep(when, by, 'conversationtest', 'create', `${bot}/${place}`, {
      ...{ bot: id('bot', bot), name: test.name, description: test.description },
      // Trying out the sample is not stopped by its tests.
      gating: false,
      file: looseTestFile(test),
    }),
  )

const nothing = { nlu: '*', intent: 'nenhuma', confidence: 0.01 }
const rest = (call: string, body: Json, status = 200): Json => ({ rest: call, answers: [{ status, body }] })

const PATIENT = rest('GET /v2/pacientes/*', { nome: 'Fábio', unidade: 'UBS Centro' })
const CHECKED = { handler: 'Confere o documento', run: true }

export const clinicTests = (id: IdOf): SampleStep[] =>
  testDeeds(
    id,
    'saude',
    'joana.siqueira',
    [1, '17:30'],
    [
      {
        name: 'Marca uma consulta',
        description: 'Da saudação ao código da consulta.',
        stubs: [
          nothing,
          CHECKED,
          PATIENT,
          rest('GET /v2/agenda*', ['Amanhã, 8h20', 'Amanhã, 14h40']),
          rest('POST /v2/consultas', { codigo: 'VC4101' }, 201),
        ],
        steps: [
          { bot: { contains: 'Clara' } },
          { choose: 'Marcar consulta' },
          { user: '529.982.247-25' },
          { choose: 'Clínica geral' },
          { choose: 'Amanhã, 8h20' },
          { choose: 'Confirmar' },
          { bot: { contains: 'VC4101' } },
        ],
      },
      {
        name: 'Entra na lista de espera',
        description: 'Quando não há vaga para a especialidade.',
        stubs: [nothing, CHECKED, PATIENT, rest('GET /v2/agenda*', null), rest('POST /v2/espera', { posicao: 3 }, 201)],
        steps: [
          { bot: { contains: 'Clara' } },
          { choose: 'Marcar consulta' },
          { user: '529.982.247-25' },
          { choose: 'Odontologia' },
          { choose: 'Sim' },
          { bot: { contains: 'número 3' } },
        ],
      },
    ],
  )

export const retailTests = (id: IdOf): SampleStep[] =>
  testDeeds(
    id,
    'varejo',
    'camila.rocha',
    [1, '15:45'],
    [
      {
        name: 'Rastreia um pedido atrasado',
        description: 'Abre a ocorrência e oferece o cupom.',
        stubs: [
          rest('GET /clientes*', { nome: 'Marina' }),
          rest('GET /pedidos/*', { numero: 'CL204516', situacao: 'atrasado' }),
          rest('POST /ocorrencias', { protocolo: 'OC30002' }, 201),
        ],
        steps: [
          { bot: { contains: 'Marina' } },
          { choose: '📦 Rastrear pedido' },
          { user: 'CL204516' },
          { bot: { contains: 'OC30002' } },
          { choose: 'Vou esperar' },
          { bot: { contains: 'LUZ10' } },
        ],
      },
    ],
  )

export const energyTests = (id: IdOf): SampleStep[] =>
  testDeeds(
    id,
    'energia',
    'otavio.lemos',
    [1, '13:40'],
    [
      {
        name: 'Segunda via por Pix',
        description: 'Uma conta em aberto, paga por Pix.',
        stubs: [
          { handler: 'Confere o dígito', run: true },
          { handler: 'Linha digitável com pontos', run: true },
          rest('GET /instalacoes/*', { total: 1 }),
          rest(
            'POST /instalacoes/*',
            {
              ...{ numero: '123456787-11', mes: 'novembro', total: '187,40', vence: '10/12/2026' },
              ...{ codigo: '83670000001874001380012345678901', pix: '00020126360014' },
            },
            201,
          ),
        ],
        steps: [
          { bot: { contains: 'instalação' } },
          { user: '123456787' },
          { choose: 'Pix' },
          { bot: { contains: '00020126360014' } },
        ],
      },
      {
        name: 'Conta em dia',
        description: 'Nada em aberto.',
        stubs: [{ handler: 'Confere o dígito', run: true }, rest('GET /instalacoes/*', { total: 0 })],
        steps: [
          { bot: { contains: 'instalação' } },
          { user: '123456787' },
          { bot: { contains: 'não há nenhuma conta' } },
        ],
      },
    ],
  )
