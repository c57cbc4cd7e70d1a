const catalogue = import.meta.glob<Record<string, unknown>>('../../schemas/locales/*/entity/*.json', {
  import: 'default',
})

/** The texts of one entity. Its own module, because the addresses of all of them are no part of the first load. */
export const readEntityText = async (language: string, entity: string): Promise<Record<string, unknown>> =>
  (await catalogue[`../../schemas/locales/${language}/entity/${entity}.json`]?.()) ?? {}
