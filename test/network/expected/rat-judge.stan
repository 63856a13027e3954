// Network rat-judge, written by rat-engine for Stan 2.26 or newer; the data are in data.json beside it.
//
// The model is a tree: every variable in turn splits each case that can happen. A row of the conditional probability
// tables is one probability; a variable of more than two levels takes several, "this level or one above it", with the
// Beta priors that make them a Dirichlet row. A record is counted by what was seen of it, ? where nothing was, and its
// probability is the sum of those of the cases that are left.

data {
  // How many records show each pattern of labels; real, since there may be more than an int holds.
  array[162] real<lower=0> n;
}

parameters {
  real<lower=0, upper=1> row_theta_R; // theta_R
  real<lower=0, upper=1> row_theta_A_minus; // theta_A-
  real<lower=0, upper=1> row_theta_A_plus; // theta_A+
  real<lower=0, upper=1> row_theta_T_minus; // theta_T-
  real<lower=0, upper=1> row_theta_T_plus; // theta_T+
  real<lower=0, upper=1> row_R_J_R0A0T0; // R_J|R0A0T0
  real<lower=0, upper=1> row_R_J_R0A0T1; // R_J|R0A0T1
  real<lower=0, upper=1> row_R_J_R0A1T0; // R_J|R0A1T0
  real<lower=0, upper=1> row_R_J_R1A0T0; // R_J|R1A0T0
  real<lower=0, upper=1> row_R_J_R1A0T1; // R_J|R1A0T1
  real<lower=0, upper=1> row_R_J_R1A1T0; // R_J|R1A1T0
  real<lower=0, upper=1> row_T_J_R0A0T0R_J0; // T_J|R0A0T0R_J0
  real<lower=0, upper=1> row_T_J_R0A0T0R_J1; // T_J|R0A0T0R_J1
  real<lower=0, upper=1> row_T_J_R0A0T1R_J0; // T_J|R0A0T1R_J0
  real<lower=0, upper=1> row_T_J_R0A0T1R_J1; // T_J|R0A0T1R_J1
  real<lower=0, upper=1> row_T_J_R0A1T0R_J0; // T_J|R0A1T0R_J0
  real<lower=0, upper=1> row_T_J_R0A1T0R_J1; // T_J|R0A1T0R_J1
  real<lower=0, upper=1> row_T_J_R1A0T0R_J0; // T_J|R1A0T0R_J0
  real<lower=0, upper=1> row_T_J_R1A0T0R_J1; // T_J|R1A0T0R_J1
  real<lower=0, upper=1> row_T_J_R1A0T1R_J0; // T_J|R1A0T1R_J0
  real<lower=0, upper=1> row_T_J_R1A0T1R_J1; // T_J|R1A0T1R_J1
  real<lower=0, upper=1> row_T_J_R1A1T0R_J0; // T_J|R1A1T0R_J0
  real<lower=0, upper=1> row_T_J_R1A1T0R_J1; // T_J|R1A1T0R_J1
}

transformed parameters {
  real p_R0 = 1 - row_theta_R; // R=0
  real p_R1 = row_theta_R; // R=1
  real p_R0_A0 = p_R0 * (1 - row_theta_A_minus); // R=0 A=0
  real p_R0_A1 = p_R0 * row_theta_A_minus; // R=0 A=1
  real p_R1_A0 = p_R1 * (1 - row_theta_A_plus); // R=1 A=0
  real p_R1_A1 = p_R1 * row_theta_A_plus; // R=1 A=1
  real p_R0_A0_T0 = p_R0_A0 * (1 - row_theta_T_minus); // R=0 A=0 T=0
  real p_R0_A0_T1 = p_R0_A0 * row_theta_T_minus; // R=0 A=0 T=1
  real p_R1_A0_T0 = p_R1_A0 * (1 - row_theta_T_plus); // R=1 A=0 T=0
  real p_R1_A0_T1 = p_R1_A0 * row_theta_T_plus; // R=1 A=0 T=1
  real p_R0_A0_T0_R_J0 = p_R0_A0_T0 * (1 - row_R_J_R0A0T0); // R=0 A=0 T=0 R_J=0
  real p_R0_A0_T0_R_J1 = p_R0_A0_T0 * row_R_J_R0A0T0; // R=0 A=0 T=0 R_J=1
  real p_R0_A0_T1_R_J0 = p_R0_A0_T1 * (1 - row_R_J_R0A0T1); // R=0 A=0 T=1 R_J=0
  real p_R0_A0_T1_R_J1 = p_R0_A0_T1 * row_R_J_R0A0T1; // R=0 A=0 T=1 R_J=1
  real p_R0_A1_R_J0 = p_R0_A1 * (1 - row_R_J_R0A1T0); // R=0 A=1 R_J=0
  real p_R0_A1_R_J1 = p_R0_A1 * row_R_J_R0A1T0; // R=0 A=1 R_J=1
  real p_R1_A0_T0_R_J0 = p_R1_A0_T0 * (1 - row_R_J_R1A0T0); // R=1 A=0 T=0 R_J=0
  real p_R1_A0_T0_R_J1 = p_R1_A0_T0 * row_R_J_R1A0T0; // R=1 A=0 T=0 R_J=1
  real p_R1_A0_T1_R_J0 = p_R1_A0_T1 * (1 - row_R_J_R1A0T1); // R=1 A=0 T=1 R_J=0
  real p_R1_A0_T1_R_J1 = p_R1_A0_T1 * row_R_J_R1A0T1; // R=1 A=0 T=1 R_J=1
  real p_R1_A1_R_J0 = p_R1_A1 * (1 - row_R_J_R1A1T0); // R=1 A=1 R_J=0
  real p_R1_A1_R_J1 = p_R1_A1 * row_R_J_R1A1T0; // R=1 A=1 R_J=1
  real p_R0_A0_T0_R_J0_T_J0 = p_R0_A0_T0_R_J0 * (1 - row_T_J_R0A0T0R_J0); // R=0 A=0 T=0 R_J=0 T_J=0
  real p_R0_A0_T0_R_J0_T_J1 = p_R0_A0_T0_R_J0 * row_T_J_R0A0T0R_J0; // R=0 A=0 T=0 R_J=0 T_J=1
  real p_R0_A0_T0_R_J1_T_J0 = p_R0_A0_T0_R_J1 * (1 - row_T_J_R0A0T0R_J1); // R=0 A=0 T=0 R_J=1 T_J=0
  real p_R0_A0_T0_R_J1_T_J1 = p_R0_A0_T0_R_J1 * row_T_J_R0A0T0R_J1; // R=0 A=0 T=0 R_J=1 T_J=1
  real p_R0_A0_T1_R_J0_T_J0 = p_R0_A0_T1_R_J0 * (1 - row_T_J_R0A0T1R_J0); // R=0 A=0 T=1 R_J=0 T_J=0
  real p_R0_A0_T1_R_J0_T_J1 = p_R0_A0_T1_R_J0 * row_T_J_R0A0T1R_J0; // R=0 A=0 T=1 R_J=0 T_J=1
  real p_R0_A0_T1_R_J1_T_J0 = p_R0_A0_T1_R_J1 * (1 - row_T_J_R0A0T1R_J1); // R=0 A=0 T=1 R_J=1 T_J=0
  real p_R0_A0_T1_R_J1_T_J1 = p_R0_A0_T1_R_J1 * row_T_J_R0A0T1R_J1; // R=0 A=0 T=1 R_J=1 T_J=1
  real p_R0_A1_R_J0_T_J0 = p_R0_A1_R_J0 * (1 - row_T_J_R0A1T0R_J0); // R=0 A=1 R_J=0 T_J=0
  real p_R0_A1_R_J0_T_J1 = p_R0_A1_R_J0 * row_T_J_R0A1T0R_J0; // R=0 A=1 R_J=0 T_J=1
  real p_R0_A1_R_J1_T_J0 = p_R0_A1_R_J1 * (1 - row_T_J_R0A1T0R_J1); // R=0 A=1 R_J=1 T_J=0
  real p_R0_A1_R_J1_T_J1 = p_R0_A1_R_J1 * row_T_J_R0A1T0R_J1; // R=0 A=1 R_J=1 T_J=1
  real p_R1_A0_T0_R_J0_T_J0 = p_R1_A0_T0_R_J0 * (1 - row_T_J_R1A0T0R_J0); // R=1 A=0 T=0 R_J=0 T_J=0
  real p_R1_A0_T0_R_J0_T_J1 = p_R1_A0_T0_R_J0 * row_T_J_R1A0T0R_J0; // R=1 A=0 T=0 R_J=0 T_J=1
  real p_R1_A0_T0_R_J1_T_J0 = p_R1_A0_T0_R_J1 * (1 - row_T_J_R1A0T0R_J1); // R=1 A=0 T=0 R_J=1 T_J=0
  real p_R1_A0_T0_R_J1_T_J1 = p_R1_A0_T0_R_J1 * row_T_J_R1A0T0R_J1; // R=1 A=0 T=0 R_J=1 T_J=1
  real p_R1_A0_T1_R_J0_T_J0 = p_R1_A0_T1_R_J0 * (1 - row_T_J_R1A0T1R_J0); // R=1 A=0 T=1 R_J=0 T_J=0
  real p_R1_A0_T1_R_J0_T_J1 = p_R1_A0_T1_R_J0 * row_T_J_R1A0T1R_J0; // R=1 A=0 T=1 R_J=0 T_J=1
  real p_R1_A0_T1_R_J1_T_J0 = p_R1_A0_T1_R_J1 * (1 - row_T_J_R1A0T1R_J1); // R=1 A=0 T=1 R_J=1 T_J=0
  real p_R1_A0_T1_R_J1_T_J1 = p_R1_A0_T1_R_J1 * row_T_J_R1A0T1R_J1; // R=1 A=0 T=1 R_J=1 T_J=1
  real p_R1_A1_R_J0_T_J0 = p_R1_A1_R_J0 * (1 - row_T_J_R1A1T0R_J0); // R=1 A=1 R_J=0 T_J=0
  real p_R1_A1_R_J0_T_J1 = p_R1_A1_R_J0 * row_T_J_R1A1T0R_J0; // R=1 A=1 R_J=0 T_J=1
  real p_R1_A1_R_J1_T_J0 = p_R1_A1_R_J1 * (1 - row_T_J_R1A1T0R_J1); // R=1 A=1 R_J=1 T_J=0
  real p_R1_A1_R_J1_T_J1 = p_R1_A1_R_J1 * row_T_J_R1A1T0R_J1; // R=1 A=1 R_J=1 T_J=1
}

model {
  row_theta_R ~ beta(1, 1);
  row_theta_A_minus ~ beta(1, 1);
  row_theta_A_plus ~ beta(1, 1);
  row_theta_T_minus ~ beta(1, 1);
  row_theta_T_plus ~ beta(1, 1);
  row_R_J_R0A0T0 ~ beta(2, 2);
  row_R_J_R0A0T1 ~ beta(2, 2);
  row_R_J_R0A1T0 ~ beta(2, 2);
  row_R_J_R1A0T0 ~ beta(2, 2);
  row_R_J_R1A0T1 ~ beta(2, 2);
  row_R_J_R1A1T0 ~ beta(2, 2);
  row_T_J_R0A0T0R_J0 ~ beta(1, 1);
  row_T_J_R0A0T0R_J1 ~ beta(1, 1);
  row_T_J_R0A0T1R_J0 ~ beta(1, 1);
  row_T_J_R0A0T1R_J1 ~ beta(1, 1);
  row_T_J_R0A1T0R_J0 ~ beta(1, 1);
  row_T_J_R0A1T0R_J1 ~ beta(1, 1);
  row_T_J_R1A0T0R_J0 ~ beta(1, 1);
  row_T_J_R1A0T0R_J1 ~ beta(1, 1);
  row_T_J_R1A0T1R_J0 ~ beta(1, 1);
  row_T_J_R1A0T1R_J1 ~ beta(1, 1);
  row_T_J_R1A1T0R_J0 ~ beta(1, 1);
  row_T_J_R1A1T0R_J1 ~ beta(1, 1);
  target += n[1] * log(p_R0_A0_T0_R_J0_T_J0); // R=0 A=0 T=0 R_J=0 T_J=0
  target += n[2] * log(p_R0_A0_T0_R_J0_T_J1); // R=0 A=0 T=0 R_J=0 T_J=1
  target += n[3] * log(p_R0_A0_T0_R_J0); // R=0 A=0 T=0 R_J=0 T_J=?
  target += n[4] * log(p_R0_A0_T0_R_J1_T_J0); // R=0 A=0 T=0 R_J=1 T_J=0
  target += n[5] * log(p_R0_A0_T0_R_J1_T_J1); // R=0 A=0 T=0 R_J=1 T_J=1
  target += n[6] * log(p_R0_A0_T0_R_J1); // R=0 A=0 T=0 R_J=1 T_J=?
  target += n[7] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0); // R=0 A=0 T=0 R_J=? T_J=0
  target += n[8] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1); // R=0 A=0 T=0 R_J=? T_J=1
  target += n[9] * log(p_R0_A0_T0); // R=0 A=0 T=0 R_J=? T_J=?
  target += n[10] * log(p_R0_A0_T1_R_J0_T_J0); // R=0 A=0 T=1 R_J=0 T_J=0
  target += n[11] * log(p_R0_A0_T1_R_J0_T_J1); // R=0 A=0 T=1 R_J=0 T_J=1
  target += n[12] * log(p_R0_A0_T1_R_J0); // R=0 A=0 T=1 R_J=0 T_J=?
  target += n[13] * log(p_R0_A0_T1_R_J1_T_J0); // R=0 A=0 T=1 R_J=1 T_J=0
  target += n[14] * log(p_R0_A0_T1_R_J1_T_J1); // R=0 A=0 T=1 R_J=1 T_J=1
  target += n[15] * log(p_R0_A0_T1_R_J1); // R=0 A=0 T=1 R_J=1 T_J=?
  target += n[16] * log(p_R0_A0_T1_R_J0_T_J0 + p_R0_A0_T1_R_J1_T_J0); // R=0 A=0 T=1 R_J=? T_J=0
  target += n[17] * log(p_R0_A0_T1_R_J0_T_J1 + p_R0_A0_T1_R_J1_T_J1); // R=0 A=0 T=1 R_J=? T_J=1
  target += n[18] * log(p_R0_A0_T1); // R=0 A=0 T=1 R_J=? T_J=?
  target += n[19] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T1_R_J0_T_J0); // R=0 A=0 T=? R_J=0 T_J=0
  target += n[20] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T1_R_J0_T_J1); // R=0 A=0 T=? R_J=0 T_J=1
  target += n[21] * log(p_R0_A0_T0_R_J0 + p_R0_A0_T1_R_J0); // R=0 A=0 T=? R_J=0 T_J=?
  target += n[22] * log(p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J1_T_J0); // R=0 A=0 T=? R_J=1 T_J=0
  target += n[23] * log(p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J1_T_J1); // R=0 A=0 T=? R_J=1 T_J=1
  target += n[24] * log(p_R0_A0_T0_R_J1 + p_R0_A0_T1_R_J1); // R=0 A=0 T=? R_J=1 T_J=?
  // R=0 A=0 T=? R_J=? T_J=0
  target += n[25] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J0_T_J0 + p_R0_A0_T1_R_J1_T_J0);
  // R=0 A=0 T=? R_J=? T_J=1
  target += n[26] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J0_T_J1 + p_R0_A0_T1_R_J1_T_J1);
  target += n[27] * log(p_R0_A0); // R=0 A=0 T=? R_J=? T_J=?
  target += n[28] * log(p_R0_A1_R_J0_T_J0); // R=0 A=1 T=0 R_J=0 T_J=0
  target += n[29] * log(p_R0_A1_R_J0_T_J1); // R=0 A=1 T=0 R_J=0 T_J=1
  target += n[30] * log(p_R0_A1_R_J0); // R=0 A=1 T=0 R_J=0 T_J=?
  target += n[31] * log(p_R0_A1_R_J1_T_J0); // R=0 A=1 T=0 R_J=1 T_J=0
  target += n[32] * log(p_R0_A1_R_J1_T_J1); // R=0 A=1 T=0 R_J=1 T_J=1
  target += n[33] * log(p_R0_A1_R_J1); // R=0 A=1 T=0 R_J=1 T_J=?
  target += n[34] * log(p_R0_A1_R_J0_T_J0 + p_R0_A1_R_J1_T_J0); // R=0 A=1 T=0 R_J=? T_J=0
  target += n[35] * log(p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1); // R=0 A=1 T=0 R_J=? T_J=1
  target += n[36] * log(p_R0_A1); // R=0 A=1 T=0 R_J=? T_J=?
  target += n[37] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A1_R_J0_T_J0); // R=0 A=? T=0 R_J=0 T_J=0
  target += n[38] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A1_R_J0_T_J1); // R=0 A=? T=0 R_J=0 T_J=1
  target += n[39] * log(p_R0_A0_T0_R_J0 + p_R0_A1_R_J0); // R=0 A=? T=0 R_J=0 T_J=?
  target += n[40] * log(p_R0_A0_T0_R_J1_T_J0 + p_R0_A1_R_J1_T_J0); // R=0 A=? T=0 R_J=1 T_J=0
  target += n[41] * log(p_R0_A0_T0_R_J1_T_J1 + p_R0_A1_R_J1_T_J1); // R=0 A=? T=0 R_J=1 T_J=1
  target += n[42] * log(p_R0_A0_T0_R_J1 + p_R0_A1_R_J1); // R=0 A=? T=0 R_J=1 T_J=?
  // R=0 A=? T=0 R_J=? T_J=0
  target += n[43] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0 + p_R0_A1_R_J0_T_J0 + p_R0_A1_R_J1_T_J0);
  // R=0 A=? T=0 R_J=? T_J=1
  target += n[44] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1);
  target += n[45] * log(p_R0_A1 + p_R0_A0_T0); // R=0 A=? T=0 R_J=? T_J=?
  target += n[46] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T1_R_J0_T_J0 + p_R0_A1_R_J0_T_J0); // R=0 A=? T=? R_J=0 T_J=0
  target += n[47] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T1_R_J0_T_J1 + p_R0_A1_R_J0_T_J1); // R=0 A=? T=? R_J=0 T_J=1
  target += n[48] * log(p_R0_A0_T0_R_J0 + p_R0_A0_T1_R_J0 + p_R0_A1_R_J0); // R=0 A=? T=? R_J=0 T_J=?
  target += n[49] * log(p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J1_T_J0 + p_R0_A1_R_J1_T_J0); // R=0 A=? T=? R_J=1 T_J=0
  target += n[50] * log(p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J1_T_J1 + p_R0_A1_R_J1_T_J1); // R=0 A=? T=? R_J=1 T_J=1
  target += n[51] * log(p_R0_A0_T0_R_J1 + p_R0_A0_T1_R_J1 + p_R0_A1_R_J1); // R=0 A=? T=? R_J=1 T_J=?
  // R=0 A=? T=? R_J=? T_J=0
  target += n[52] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J0_T_J0 + p_R0_A0_T1_R_J1_T_J0 +
      p_R0_A1_R_J0_T_J0 + p_R0_A1_R_J1_T_J0);
  // R=0 A=? T=? R_J=? T_J=1
  target += n[53] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J0_T_J1 + p_R0_A0_T1_R_J1_T_J1 +
      p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1);
  target += n[54] * log(p_R0); // R=0 A=? T=? R_J=? T_J=?
  target += n[55] * log(p_R1_A0_T0_R_J0_T_J0); // R=1 A=0 T=0 R_J=0 T_J=0
  target += n[56] * log(p_R1_A0_T0_R_J0_T_J1); // R=1 A=0 T=0 R_J=0 T_J=1
  target += n[57] * log(p_R1_A0_T0_R_J0); // R=1 A=0 T=0 R_J=0 T_J=?
  target += n[58] * log(p_R1_A0_T0_R_J1_T_J0); // R=1 A=0 T=0 R_J=1 T_J=0
  target += n[59] * log(p_R1_A0_T0_R_J1_T_J1); // R=1 A=0 T=0 R_J=1 T_J=1
  target += n[60] * log(p_R1_A0_T0_R_J1); // R=1 A=0 T=0 R_J=1 T_J=?
  target += n[61] * log(p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0); // R=1 A=0 T=0 R_J=? T_J=0
  target += n[62] * log(p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1); // R=1 A=0 T=0 R_J=? T_J=1
  target += n[63] * log(p_R1_A0_T0); // R=1 A=0 T=0 R_J=? T_J=?
  target += n[64] * log(p_R1_A0_T1_R_J0_T_J0); // R=1 A=0 T=1 R_J=0 T_J=0
  target += n[65] * log(p_R1_A0_T1_R_J0_T_J1); // R=1 A=0 T=1 R_J=0 T_J=1
  target += n[66] * log(p_R1_A0_T1_R_J0); // R=1 A=0 T=1 R_J=0 T_J=?
  target += n[67] * log(p_R1_A0_T1_R_J1_T_J0); // R=1 A=0 T=1 R_J=1 T_J=0
  target += n[68] * log(p_R1_A0_T1_R_J1_T_J1); // R=1 A=0 T=1 R_J=1 T_J=1
  target += n[69] * log(p_R1_A0_T1_R_J1); // R=1 A=0 T=1 R_J=1 T_J=?
  target += n[70] * log(p_R1_A0_T1_R_J0_T_J0 + p_R1_A0_T1_R_J1_T_J0); // R=1 A=0 T=1 R_J=? T_J=0
  target += n[71] * log(p_R1_A0_T1_R_J0_T_J1 + p_R1_A0_T1_R_J1_T_J1); // R=1 A=0 T=1 R_J=? T_J=1
  target += n[72] * log(p_R1_A0_T1); // R=1 A=0 T=1 R_J=? T_J=?
  target += n[73] * log(p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T1_R_J0_T_J0); // R=1 A=0 T=? R_J=0 T_J=0
  target += n[74] * log(p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T1_R_J0_T_J1); // R=1 A=0 T=? R_J=0 T_J=1
  target += n[75] * log(p_R1_A0_T0_R_J0 + p_R1_A0_T1_R_J0); // R=1 A=0 T=? R_J=0 T_J=?
  target += n[76] * log(p_R1_A0_T0_R_J1_T_J0 + p_R1_A0_T1_R_J1_T_J0); // R=1 A=0 T=? R_J=1 T_J=0
  target += n[77] * log(p_R1_A0_T0_R_J1_T_J1 + p_R1_A0_T1_R_J1_T_J1); // R=1 A=0 T=? R_J=1 T_J=1
  target += n[78] * log(p_R1_A0_T0_R_J1 + p_R1_A0_T1_R_J1); // R=1 A=0 T=? R_J=1 T_J=?
  // R=1 A=0 T=? R_J=? T_J=0
  target += n[79] * log(p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0 + p_R1_A0_T1_R_J0_T_J0 + p_R1_A0_T1_R_J1_T_J0);
  // R=1 A=0 T=? R_J=? T_J=1
  target += n[80] * log(p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A0_T1_R_J0_T_J1 + p_R1_A0_T1_R_J1_T_J1);
  target += n[81] * log(p_R1_A0); // R=1 A=0 T=? R_J=? T_J=?
  target += n[82] * log(p_R1_A1_R_J0_T_J0); // R=1 A=1 T=0 R_J=0 T_J=0
  target += n[83] * log(p_R1_A1_R_J0_T_J1); // R=1 A=1 T=0 R_J=0 T_J=1
  target += n[84] * log(p_R1_A1_R_J0); // R=1 A=1 T=0 R_J=0 T_J=?
  target += n[85] * log(p_R1_A1_R_J1_T_J0); // R=1 A=1 T=0 R_J=1 T_J=0
  target += n[86] * log(p_R1_A1_R_J1_T_J1); // R=1 A=1 T=0 R_J=1 T_J=1
  target += n[87] * log(p_R1_A1_R_J1); // R=1 A=1 T=0 R_J=1 T_J=?
  target += n[88] * log(p_R1_A1_R_J0_T_J0 + p_R1_A1_R_J1_T_J0); // R=1 A=1 T=0 R_J=? T_J=0
  target += n[89] * log(p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1); // R=1 A=1 T=0 R_J=? T_J=1
  target += n[90] * log(p_R1_A1); // R=1 A=1 T=0 R_J=? T_J=?
  target += n[91] * log(p_R1_A0_T0_R_J0_T_J0 + p_R1_A1_R_J0_T_J0); // R=1 A=? T=0 R_J=0 T_J=0
  target += n[92] * log(p_R1_A0_T0_R_J0_T_J1 + p_R1_A1_R_J0_T_J1); // R=1 A=? T=0 R_J=0 T_J=1
  target += n[93] * log(p_R1_A0_T0_R_J0 + p_R1_A1_R_J0); // R=1 A=? T=0 R_J=0 T_J=?
  target += n[94] * log(p_R1_A0_T0_R_J1_T_J0 + p_R1_A1_R_J1_T_J0); // R=1 A=? T=0 R_J=1 T_J=0
  target += n[95] * log(p_R1_A0_T0_R_J1_T_J1 + p_R1_A1_R_J1_T_J1); // R=1 A=? T=0 R_J=1 T_J=1
  target += n[96] * log(p_R1_A0_T0_R_J1 + p_R1_A1_R_J1); // R=1 A=? T=0 R_J=1 T_J=?
  // R=1 A=? T=0 R_J=? T_J=0
  target += n[97] * log(p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0 + p_R1_A1_R_J0_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=1 A=? T=0 R_J=? T_J=1
  target += n[98] * log(p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1);
  target += n[99] * log(p_R1_A1 + p_R1_A0_T0); // R=1 A=? T=0 R_J=? T_J=?
  // R=1 A=? T=? R_J=0 T_J=0
  target += n[100] * log(p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T1_R_J0_T_J0 + p_R1_A1_R_J0_T_J0);
  // R=1 A=? T=? R_J=0 T_J=1
  target += n[101] * log(p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T1_R_J0_T_J1 + p_R1_A1_R_J0_T_J1);
  target += n[102] * log(p_R1_A0_T0_R_J0 + p_R1_A0_T1_R_J0 + p_R1_A1_R_J0); // R=1 A=? T=? R_J=0 T_J=?
  // R=1 A=? T=? R_J=1 T_J=0
  target += n[103] * log(p_R1_A0_T0_R_J1_T_J0 + p_R1_A0_T1_R_J1_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=1 A=? T=? R_J=1 T_J=1
  target += n[104] * log(p_R1_A0_T0_R_J1_T_J1 + p_R1_A0_T1_R_J1_T_J1 + p_R1_A1_R_J1_T_J1);
  target += n[105] * log(p_R1_A0_T0_R_J1 + p_R1_A0_T1_R_J1 + p_R1_A1_R_J1); // R=1 A=? T=? R_J=1 T_J=?
  // R=1 A=? T=? R_J=? T_J=0
  target += n[106] * log(p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0 + p_R1_A0_T1_R_J0_T_J0 +
      p_R1_A0_T1_R_J1_T_J0 + p_R1_A1_R_J0_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=1 A=? T=? R_J=? T_J=1
  target += n[107] * log(p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A0_T1_R_J0_T_J1 +
      p_R1_A0_T1_R_J1_T_J1 + p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1);
  target += n[108] * log(p_R1); // R=1 A=? T=? R_J=? T_J=?
  target += n[109] * log(p_R0_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J0_T_J0); // R=? A=0 T=0 R_J=0 T_J=0
  target += n[110] * log(p_R0_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J0_T_J1); // R=? A=0 T=0 R_J=0 T_J=1
  target += n[111] * log(p_R0_A0_T0_R_J0 + p_R1_A0_T0_R_J0); // R=? A=0 T=0 R_J=0 T_J=?
  target += n[112] * log(p_R0_A0_T0_R_J1_T_J0 + p_R1_A0_T0_R_J1_T_J0); // R=? A=0 T=0 R_J=1 T_J=0
  target += n[113] * log(p_R0_A0_T0_R_J1_T_J1 + p_R1_A0_T0_R_J1_T_J1); // R=? A=0 T=0 R_J=1 T_J=1
  target += n[114] * log(p_R0_A0_T0_R_J1 + p_R1_A0_T0_R_J1); // R=? A=0 T=0 R_J=1 T_J=?
  // R=? A=0 T=0 R_J=? T_J=0
  target += n[115] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0 + p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0);
  // R=? A=0 T=0 R_J=? T_J=1
  target += n[116] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1);
  target += n[117] * log(p_R0_A0_T0 + p_R1_A0_T0); // R=? A=0 T=0 R_J=? T_J=?
  target += n[118] * log(p_R0_A0_T1_R_J0_T_J0 + p_R1_A0_T1_R_J0_T_J0); // R=? A=0 T=1 R_J=0 T_J=0
  target += n[119] * log(p_R0_A0_T1_R_J0_T_J1 + p_R1_A0_T1_R_J0_T_J1); // R=? A=0 T=1 R_J=0 T_J=1
  target += n[120] * log(p_R0_A0_T1_R_J0 + p_R1_A0_T1_R_J0); // R=? A=0 T=1 R_J=0 T_J=?
  target += n[121] * log(p_R0_A0_T1_R_J1_T_J0 + p_R1_A0_T1_R_J1_T_J0); // R=? A=0 T=1 R_J=1 T_J=0
  target += n[122] * log(p_R0_A0_T1_R_J1_T_J1 + p_R1_A0_T1_R_J1_T_J1); // R=? A=0 T=1 R_J=1 T_J=1
  target += n[123] * log(p_R0_A0_T1_R_J1 + p_R1_A0_T1_R_J1); // R=? A=0 T=1 R_J=1 T_J=?
  // R=? A=0 T=1 R_J=? T_J=0
  target += n[124] * log(p_R0_A0_T1_R_J0_T_J0 + p_R0_A0_T1_R_J1_T_J0 + p_R1_A0_T1_R_J0_T_J0 + p_R1_A0_T1_R_J1_T_J0);
  // R=? A=0 T=1 R_J=? T_J=1
  target += n[125] * log(p_R0_A0_T1_R_J0_T_J1 + p_R0_A0_T1_R_J1_T_J1 + p_R1_A0_T1_R_J0_T_J1 + p_R1_A0_T1_R_J1_T_J1);
  target += n[126] * log(p_R0_A0_T1 + p_R1_A0_T1); // R=? A=0 T=1 R_J=? T_J=?
  // R=? A=0 T=? R_J=0 T_J=0
  target += n[127] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T1_R_J0_T_J0 + p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T1_R_J0_T_J0);
  // R=? A=0 T=? R_J=0 T_J=1
  target += n[128] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T1_R_J0_T_J1 + p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T1_R_J0_T_J1);
  // R=? A=0 T=? R_J=0 T_J=?
  target += n[129] * log(p_R0_A0_T0_R_J0 + p_R0_A0_T1_R_J0 + p_R1_A0_T0_R_J0 + p_R1_A0_T1_R_J0);
  // R=? A=0 T=? R_J=1 T_J=0
  target += n[130] * log(p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J1_T_J0 + p_R1_A0_T0_R_J1_T_J0 + p_R1_A0_T1_R_J1_T_J0);
  // R=? A=0 T=? R_J=1 T_J=1
  target += n[131] * log(p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J1_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A0_T1_R_J1_T_J1);
  // R=? A=0 T=? R_J=1 T_J=?
  target += n[132] * log(p_R0_A0_T0_R_J1 + p_R0_A0_T1_R_J1 + p_R1_A0_T0_R_J1 + p_R1_A0_T1_R_J1);
  // R=? A=0 T=? R_J=? T_J=0
  target += n[133] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J0_T_J0 +
      p_R0_A0_T1_R_J1_T_J0 + p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0 + p_R1_A0_T1_R_J0_T_J0 +
      p_R1_A0_T1_R_J1_T_J0);
  // R=? A=0 T=? R_J=? T_J=1
  target += n[134] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J0_T_J1 +
      p_R0_A0_T1_R_J1_T_J1 + p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A0_T1_R_J0_T_J1 +
      p_R1_A0_T1_R_J1_T_J1);
  target += n[135] * log(p_R0_A0 + p_R1_A0); // R=? A=0 T=? R_J=? T_J=?
  target += n[136] * log(p_R0_A1_R_J0_T_J0 + p_R1_A1_R_J0_T_J0); // R=? A=1 T=0 R_J=0 T_J=0
  target += n[137] * log(p_R0_A1_R_J0_T_J1 + p_R1_A1_R_J0_T_J1); // R=? A=1 T=0 R_J=0 T_J=1
  target += n[138] * log(p_R0_A1_R_J0 + p_R1_A1_R_J0); // R=? A=1 T=0 R_J=0 T_J=?
  target += n[139] * log(p_R0_A1_R_J1_T_J0 + p_R1_A1_R_J1_T_J0); // R=? A=1 T=0 R_J=1 T_J=0
  target += n[140] * log(p_R0_A1_R_J1_T_J1 + p_R1_A1_R_J1_T_J1); // R=? A=1 T=0 R_J=1 T_J=1
  target += n[141] * log(p_R0_A1_R_J1 + p_R1_A1_R_J1); // R=? A=1 T=0 R_J=1 T_J=?
  // R=? A=1 T=0 R_J=? T_J=0
  target += n[142] * log(p_R0_A1_R_J0_T_J0 + p_R0_A1_R_J1_T_J0 + p_R1_A1_R_J0_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=? A=1 T=0 R_J=? T_J=1
  target += n[143] * log(p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1 + p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1);
  target += n[144] * log(p_R0_A1 + p_R1_A1); // R=? A=1 T=0 R_J=? T_J=?
  // R=? A=? T=0 R_J=0 T_J=0
  target += n[145] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A1_R_J0_T_J0 + p_R1_A0_T0_R_J0_T_J0 + p_R1_A1_R_J0_T_J0);
  // R=? A=? T=0 R_J=0 T_J=1
  target += n[146] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A1_R_J0_T_J1 + p_R1_A0_T0_R_J0_T_J1 + p_R1_A1_R_J0_T_J1);
  // R=? A=? T=0 R_J=0 T_J=?
  target += n[147] * log(p_R0_A0_T0_R_J0 + p_R0_A1_R_J0 + p_R1_A0_T0_R_J0 + p_R1_A1_R_J0);
  // R=? A=? T=0 R_J=1 T_J=0
  target += n[148] * log(p_R0_A0_T0_R_J1_T_J0 + p_R0_A1_R_J1_T_J0 + p_R1_A0_T0_R_J1_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=? A=? T=0 R_J=1 T_J=1
  target += n[149] * log(p_R0_A0_T0_R_J1_T_J1 + p_R0_A1_R_J1_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A1_R_J1_T_J1);
  // R=? A=? T=0 R_J=1 T_J=?
  target += n[150] * log(p_R0_A0_T0_R_J1 + p_R0_A1_R_J1 + p_R1_A0_T0_R_J1 + p_R1_A1_R_J1);
  // R=? A=? T=0 R_J=? T_J=0
  target += n[151] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0 + p_R0_A1_R_J0_T_J0 + p_R0_A1_R_J1_T_J0 +
      p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0 + p_R1_A1_R_J0_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=? A=? T=0 R_J=? T_J=1
  target += n[152] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1 +
      p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1);
  target += n[153] * log(p_R0_A1 + p_R1_A1 + p_R0_A0_T0 + p_R1_A0_T0); // R=? A=? T=0 R_J=? T_J=?
  // R=? A=? T=? R_J=0 T_J=0
  target += n[154] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T1_R_J0_T_J0 + p_R0_A1_R_J0_T_J0 + p_R1_A0_T0_R_J0_T_J0 +
      p_R1_A0_T1_R_J0_T_J0 + p_R1_A1_R_J0_T_J0);
  // R=? A=? T=? R_J=0 T_J=1
  target += n[155] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T1_R_J0_T_J1 + p_R0_A1_R_J0_T_J1 + p_R1_A0_T0_R_J0_T_J1 +
      p_R1_A0_T1_R_J0_T_J1 + p_R1_A1_R_J0_T_J1);
  // R=? A=? T=? R_J=0 T_J=?
  target += n[156] * log(p_R0_A0_T0_R_J0 + p_R0_A0_T1_R_J0 + p_R0_A1_R_J0 + p_R1_A0_T0_R_J0 + p_R1_A0_T1_R_J0 +
      p_R1_A1_R_J0);
  // R=? A=? T=? R_J=1 T_J=0
  target += n[157] * log(p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J1_T_J0 + p_R0_A1_R_J1_T_J0 + p_R1_A0_T0_R_J1_T_J0 +
      p_R1_A0_T1_R_J1_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=? A=? T=? R_J=1 T_J=1
  target += n[158] * log(p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J1_T_J1 + p_R0_A1_R_J1_T_J1 + p_R1_A0_T0_R_J1_T_J1 +
      p_R1_A0_T1_R_J1_T_J1 + p_R1_A1_R_J1_T_J1);
  // R=? A=? T=? R_J=1 T_J=?
  target += n[159] * log(p_R0_A0_T0_R_J1 + p_R0_A0_T1_R_J1 + p_R0_A1_R_J1 + p_R1_A0_T0_R_J1 + p_R1_A0_T1_R_J1 +
      p_R1_A1_R_J1);
  // R=? A=? T=? R_J=? T_J=0
  target += n[160] * log(p_R0_A0_T0_R_J0_T_J0 + p_R0_A0_T0_R_J1_T_J0 + p_R0_A0_T1_R_J0_T_J0 +
      p_R0_A0_T1_R_J1_T_J0 + p_R0_A1_R_J0_T_J0 + p_R0_A1_R_J1_T_J0 + p_R1_A0_T0_R_J0_T_J0 + p_R1_A0_T0_R_J1_T_J0 +
      p_R1_A0_T1_R_J0_T_J0 + p_R1_A0_T1_R_J1_T_J0 + p_R1_A1_R_J0_T_J0 + p_R1_A1_R_J1_T_J0);
  // R=? A=? T=? R_J=? T_J=1
  target += n[161] * log(p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J0_T_J1 +
      p_R0_A0_T1_R_J1_T_J1 + p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1 + p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 +
      p_R1_A0_T1_R_J0_T_J1 + p_R1_A0_T1_R_J1_T_J1 + p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1);
  // n[162]: R=? A=? T=? R_J=? T_J=?, which says nothing
}

generated quantities {
  real theta_R = p_R1; // theta_R = P(R=1)
  real theta_A_minus = row_theta_A_minus; // theta_A- = P(A=1 | R=0)
  real theta_A_plus = row_theta_A_plus; // theta_A+ = P(A=1 | R=1)
  real theta_T_minus = row_theta_T_minus; // theta_T- = P(T=1 | R=0, A=0)
  real theta_T_plus = row_theta_T_plus; // theta_T+ = P(T=1 | R=1, A=0)
  real P_R = p_R1; // P(R=1)
  real P_A = p_R0_A1 + p_R1_A1; // P(A=1)
  real P_T = p_R0_A0_T1 + p_R1_A0_T1; // P(T=1)
  real P_G = p_R0_A1 + p_R1_A0_T1; // P(G=1)
  real TPR_R = (p_R1_A0_T0_R_J1 + p_R1_A0_T1_R_J1 + p_R1_A1_R_J1) / p_R1; // TPR_R = P(R_J=1 | R=1)
  real FPR_R = (p_R0_A0_T0_R_J1 + p_R0_A0_T1_R_J1 + p_R0_A1_R_J1) / p_R0; // FPR_R = P(R_J=1 | R=0)
  // TPR_T = P(T_J=1 | T=1)
  real TPR_T = (p_R0_A0_T1_R_J0_T_J1 + p_R0_A0_T1_R_J1_T_J1 + p_R1_A0_T1_R_J0_T_J1 +
      p_R1_A0_T1_R_J1_T_J1) / (p_R0_A0_T1 + p_R1_A0_T1);
  // FPR_T = P(T_J=1 | T=0)
  real FPR_T = (p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1 +
      p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1) / (p_R0_A1 + p_R1_A1 +
      p_R0_A0_T0 + p_R1_A0_T0);
  // P(R_J=1)
  real P_R_J = p_R0_A0_T0_R_J1 + p_R0_A0_T1_R_J1 + p_R0_A1_R_J1 + p_R1_A0_T0_R_J1 + p_R1_A0_T1_R_J1 + p_R1_A1_R_J1;
  // P(T_J=1)
  real P_T_J = p_R0_A0_T0_R_J0_T_J1 + p_R0_A0_T0_R_J1_T_J1 + p_R0_A0_T1_R_J0_T_J1 + p_R0_A0_T1_R_J1_T_J1 +
      p_R0_A1_R_J0_T_J1 + p_R0_A1_R_J1_T_J1 + p_R1_A0_T0_R_J0_T_J1 + p_R1_A0_T0_R_J1_T_J1 + p_R1_A0_T1_R_J0_T_J1 +
      p_R1_A0_T1_R_J1_T_J1 + p_R1_A1_R_J0_T_J1 + p_R1_A1_R_J1_T_J1;
}
