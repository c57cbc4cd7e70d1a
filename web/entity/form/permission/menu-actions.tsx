import { Box, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { MENU_ACTIONS } from '#domain/people/permission.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'
import { PermissionBox, type PermissionControl } from './permission-rows.tsx'

const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

/** The words of a menu action: of the entity whose entry it shows, else of the page. */
export const useMenuActionLabel = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (action: string) => {
    const shown = DECLARED.find(({ place }) => place?.permission === action)
    return shown === undefined ? t(`role.menuaction.${action}`) : label.menu(shown.name)
  }
}

interface Props {
  readonly control: PermissionControl
  isShown(action: string, title: string): boolean
}

/** Permissions for side menu entries, with their API names. */
export const MenuActions = ({ control, isShown }: Props) => {
  const { t } = useTranslation('shell')
  const label = useMenuActionLabel()
  const shown = MENU_ACTIONS.filter(action => isShown(action, label(action)))
  if (shown.length === 0) return null
  return (
    <Box as="section" aria-label={t('role.menu')} mt="6">
      <Text as="h3" textStyle="title" mb="1">
        {t('role.menu')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="2">
        {t('role.menutext')}
      </Text>
      <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} columnGap="5">
        {shown.map(action => (
          <HStack key={action} gap="1" fontSize="sm">
            <PermissionBox
              label={label(action)}
              state={control.present.actions.includes(action) ? 'given' : 'none'}
              isChanged={control.saved.actions.includes(action) !== control.present.actions.includes(action)}
              isDisabled={control.isDisabled}
              column="menu"
              onChange={on => control.setActions([action], on)}
            />
            <span aria-hidden="true">{label(action)}</span>
            <Text as="code" textStyle="code" fontSize="xs" color="fg.muted">
              {action}
            </Text>
          </HStack>
        ))}
      </SimpleGrid>
    </Box>
  )
}
