import { Box, Input, type InputProps } from '@chakra-ui/react'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './hint.tsx'

/** A password that can be looked at. */
export const PasswordInput = (props: InputProps) => {
  const { t } = useTranslation('shell')
  const [shown, setShown] = useState(false)
  return (
    <Box position="relative" w="100%">
      <Input type={shown ? 'text' : 'password'} pe="10" {...props} />
      <Box position="absolute" insetEnd="1" top="50%" translate="0 -50%">
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={shown ? t('password.hide') : t('password.show')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      </Box>
    </Box>
  )
}
