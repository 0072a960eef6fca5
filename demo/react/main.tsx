import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { find } from '../page-kit.js';
import { Shop } from './shop.js';

createRoot(find('#app')).render(
  <StrictMode>
    <Shop />
  </StrictMode>,
);
