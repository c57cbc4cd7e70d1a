import { hash } from 'node:crypto'
import type { CampaignFacts } from '#domain/campaign/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import type { CommandContext, LoadFacts } from '../pipeline/command-context.ts'

const HEX = /^(.{8})(.{4}).(.{3})(.{4})(.{12}).*$/

/** A UUID (version 8) that each attempt at one command gets alike. */
const idOf = (seed: string): string => hash('sha256', `${seed}\nrun`).replace(HEX, '$1-$2-8$3-a$4-$5').slice(0, 36)

const fieldsOf = async ({ loader, entityOf }: CommandContext, name: string, id: Fields[string] | undefined) => {
  const entity = entityOf(name)
  if (entity === undefined || typeof id !== 'string') return undefined
  const { state } = await loader.load(entity, id)
  return state.status === 'live' ? state.fields : undefined
}

/** Facts for sending a campaign, as of its start. */
export const gatherCampaign: LoadFacts<CampaignFacts> = async (context, { author }, state, given) => {
  const fields: Fields = { ...('fields' in state ? state.fields : {}), ...given }
  const [template, account] = await Promise.all([
    fieldsOf(context, 'template', fields.template),
    fieldsOf(context, 'metaaccount', fields.metaaccount),
  ])
  return { run: idOf(author.seed), template, account }
}
