import { HStack, Text } from '@chakra-ui/react'
import { Chip } from '#web/components/chip.tsx'
import { usePermissionText } from '#web/entity/form/permission/pending-permissions.tsx'

const MOST = 3

/** Permissions of a role in words; `service`: the values are whole entities. */
export const PermissionChips = ({ kind, names }: { kind: 'action' | 'service'; names: readonly string[] }) => {
  const text = usePermissionText()
  return (
    <HStack gap="1" flexWrap="wrap">
      {names.slice(0, MOST).map(name => (
        <Chip key={name} fontWeight="normal" maxW="220px">
          <Text as="span" truncate>
            {text({ kind, name, isGiven: true })}
          </Text>
        </Chip>
      ))}
      {names.length > MOST ? (
        <Text as="span" textStyle="secondary" color="fg.muted">
          +{names.length - MOST}
        </Text>
      ) : null}
    </HStack>
  )
}
