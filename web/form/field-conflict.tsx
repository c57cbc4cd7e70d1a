import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { Diff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export interface Conflict {
  readonly id: string
  /** The value before both changes; undefined where `theirs` tells it. */
  readonly before: ReactNode | undefined
  /** The value that was saved meanwhile. */
  readonly theirs: ReactNode
  onUseTheirs(): void
}

/** Shown below a control: another person's saved value, and the value before both edits. */
export const FieldConflict = ({ id, before, theirs, onUseTheirs }: Conflict) => {
  const { t } = useTranslation('shell')
  return (
    <HStack
      id={id}
      w="100%"
      mt="1"
      px="2.5"
      py="1.5"
      gap="2"
      align="flex-start"
      borderLeftWidth="3px"
      borderColor="warning.solid"
      bg="warning.subtle"
      borderRightRadius="sm"
      fontSize="sm"
    >
      <Box color="warning.fg" pt="0.5" flex="none">
        <Diff size={14} aria-hidden="true" />
      </Box>
      <Box flex="1" minW="0" overflowWrap="anywhere">
        <Text as="span" color="fg.muted">
          {t('form.othervalue')}:{' '}
        </Text>
        {theirs}
        {before === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted">
            {before} ({t('form.beforeboth')})
          </Text>
        )}
      </Box>
      <Button size="xs" flex="none" minH={{ base: '11', md: '7' }} onClick={onUseTheirs}>
        {t('form.usetheirs')}
      </Button>
    </HStack>
  )
}
