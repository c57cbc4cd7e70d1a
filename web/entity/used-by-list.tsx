import { chakra, Link, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { isProblem, type Problem, type ToldError } from '#web/api/problem.ts'
import { addressOf } from './address.ts'
import { useLabel } from './label.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const UsedBy = ({ params = {} }: ToldError) => {
  const label = useLabel()
  const entity = text(params.entity)
  const address = addressOf(entity, text(params.id), { block: text(params.block) })
  const name = `${label.name(entity)} ${text(params.title)}`
  if (address === undefined) return <li>{name}</li>
  return (
    <li>
      <Link asChild>
        <RouterLink to={address}>{name}</RouterLink>
      </Link>
    </li>
  )
}

const UsedByList = ({ problem }: { readonly problem: Problem }) => {
  const { t } = useTranslation('shell')
  const hidden = typeof problem.params.hidden === 'number' ? problem.params.hidden : 0
  const users = new Map(problem.errors.map(error => [`${text(error.params?.entity)} ${text(error.params?.id)}`, error]))
  return (
    <>
      <chakra.ul ps="0" fontSize="sm" maxH="40" overflowY="auto">
        {[...users].map(([key, error]) => (
          <UsedBy key={key} {...error} />
        ))}
      </chakra.ul>
      {hidden === 0 ? null : <Text>{t('usedhidden', { count: hidden })}</Text>}
    </>
  )
}

/** Entities that still use the row and block its removal, each with a link. */
export const usedByList = (failure: unknown): ReactNode => {
  const problem = failure instanceof Error && !isProblem(failure) ? failure.cause : failure
  return isProblem(problem) && problem.code === 'entity.used' ? <UsedByList problem={problem} /> : null
}
