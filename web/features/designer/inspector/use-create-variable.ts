import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { openEngine } from '#domain/expression/engines.ts'
import { isVariableName } from '#domain/flow/variable/variable-use.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'

interface NewVariable {
  readonly name: string
  readonly datatype: string
  /** Id of one of the bot's schemas, '' for none. */
  readonly schema: string
}

/** Declares a variable of the bot without leaving the designer; its name must be one in the bot's own language. */
export const useCreateVariable = () => {
  const { t } = useTranslation('designer')
  const { bot } = useNames()
  const { said } = useDesigner()
  const session = useSession()
  const queries = useQueryClient()
  const making = useMutation({
    mutationFn: async ({ name, datatype, schema }: NewVariable) => {
      if (!isVariableName(name, await openEngine(bot?.expressionparser ?? 'Jexl'))) throw new Error(t('uses.badName'))
      await http.post('/{entity}', {
        params: { entity: 'variable' },
        body: { bot: bot?.id, name, datatype, ...(schema === '' ? {} : { schema }) },
      })
      said.set(t('uses.created', { name }))
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['variable'] }),
        queries.invalidateQueries({ queryKey: ['bot', bot?.id, 'unused'] }),
      ])
    },
  })
  const { error } = making
  return {
    may: bot !== undefined && session.can('createvariable'),
    create: making.mutateAsync,
    isPending: making.isPending,
    refused:
      error === null ? undefined : isProblem(error) ? (error.errors[0]?.message ?? error.message) : error.message,
  }
}
