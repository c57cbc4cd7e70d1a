import { NativeSelect } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { type Permissions, permissionsIn } from './permission-state.ts'

const MAX_ROLES = 100

export interface ComparedRole {
  readonly id: string
  readonly held: Permissions
}

interface Props {
  /** The role that others are compared with. */
  readonly id: string | undefined
  readonly value: string | undefined
  onChange(role: ComparedRole | undefined): void
}

/** Chooses the role whose permissions are shown against those of this one. */
export const CompareRole = ({ id, value, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const { data } = useQuery({
    queryKey: ['role', 'compare'],
    queryFn: () => http.get('/{entity}', { params: { entity: 'role' }, query: { size: MAX_ROLES, sort: 'name' } }),
  })
  const roles = (data?.items ?? []).filter(role => role.id !== id)
  const choose = (chosen: string) => {
    const role = roles.find(one => one.id === chosen)
    onChange(role === undefined ? undefined : { id: role.id, held: permissionsIn(role) })
  }
  if (roles.length === 0) return null
  return (
    <NativeSelect.Root w={{ base: '100%', md: '210px' }}>
      <NativeSelect.Field
        aria-label={t('role.compare')}
        value={value ?? ''}
        onChange={event => choose(event.target.value)}
      >
        <option value="">{t('role.comparewith')}</option>
        {roles.map(role => (
          <option key={role.id} value={role.id}>
            {String(role.name)}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}
